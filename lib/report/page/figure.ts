// Charts of pages, each with its numbers in a table for screen readers and for pages without scripts.

import { html, type Html } from "./html.js";

/** Where the script draws a chart of that kind. `of` says of what: the identifier of a launch, the index of a parameter. */
export const chart = (of: string, kind: string, label: string): Html =>
  html`<div
    class="chart"
    data-chart="${kind}"
    data-of="${of}"
    role="img"
    aria-label="${label}; the numbers are in the table below"
  ></div>`;

export function figure(of: string, kind: string, title: string, label: string, numbers: Html): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${chart(of, kind, label)}
    <details>
      <summary>Numbers</summary>
      ${numbers}
    </details>
  </figure>`;
}
