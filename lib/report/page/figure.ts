// Charts of pages, each with its numbers in a table for screen readers and for use without scripts.

import { html, type Html } from "./html.js";

/**
 * The element in which the script draws a chart of that kind. `of` identifies its subject: a launch's identifier, or a
 * parameter's index.
 */
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
