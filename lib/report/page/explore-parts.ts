// Cards of functions and tables of records for the explorer page.

import { escapeControls } from "../../diag/escape.js";
import type { FunctionView } from "../../inspect/context/function-view.js";
import { html, type Html, type HtmlPart } from "./html.js";
import { grouped } from "./numbers.js";

/** Limit of rows of one table; `ptxkit inspect` shows all. */
const MAX_ROWS = 2000;

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A row's cells, and the range of the part's bytes that it describes. */
export interface RecordRow {
  readonly cells: readonly HtmlPart[];
  readonly at?: { readonly offset: number; readonly size: number } | undefined;
}

/** A name from the file, with control characters escaped. */
export const shown = (name: string): string => escapeControls(name);

export function card(title: string, view: FunctionView): Html {
  const facts: readonly (readonly [string, HtmlPart])[] = [
    ["registers", view.registers],
    ["code", view.codeBytes === undefined ? undefined : `${grouped(view.codeBytes)} bytes`],
    ["PTX instructions", view.instructions],
    ["shared", view.sharedBytes === undefined ? undefined : `${grouped(view.sharedBytes)} bytes`],
    [
      "stack",
      (view.minStackBytes ?? view.frameBytes) === undefined
        ? undefined
        : `${view.minStackBytes ?? view.frameBytes} bytes`,
    ],
    ["barriers", view.barriers],
    ["most threads", view.maxThreads?.join(" x ")],
    ["required threads", view.requiredThreads?.join(" x ")],
    ["parameters", view.parameterBytes === undefined ? undefined : `${view.parameterBytes} bytes`],
  ];
  return html`<details class="card">
    <summary><b>${title}</b> <code>${shown(view.demangled ?? view.name)}</code></summary>
    ${view.demangled === undefined ? undefined : html`<p><code>${shown(view.name)}</code></p>`}
    <dl class="facts">
      ${facts.map(([name, value]) =>
        value === undefined
          ? undefined
          : html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
      )}
    </dl>
    ${view.calls.length === 0 ? undefined : html`<p>calls <code>${shown(view.calls.join(" "))}</code></p>`}
    ${
      view.parameters.length === 0
        ? undefined
        : records(
            "Parameters",
            [
              { title: "#", isNumber: true },
              { title: "Name" },
              { title: "Type" },
              { title: "Offset", isNumber: true },
              { title: "Size", isNumber: true },
              { title: "Points to" },
            ],
            view.parameters.map(({ ordinal, name, type, offset, size, pointer }) => ({
              cells: [ordinal, shown(name ?? ""), type ?? "", offset, size, pointer?.space ?? ""],
            })),
          )
    }
  </details>`;
}

export function records(caption: string, columns: readonly Column[], rows: readonly RecordRow[]): Html {
  if (rows.length === 0) return html``;
  const kind = (i: number): Html => (columns[i]!.isNumber === true ? html` class="number"` : html``);
  const more = rows.length - MAX_ROWS;
  return html`<details class="records">
    <summary>${caption} <small>${grouped(rows.length)}</small></summary>
    <div class="table">
      <table>
        <thead>
          <tr>
            ${columns.map(({ title }, i) => html`<th scope="col" ${kind(i)}>${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MAX_ROWS).map(
            ({ cells, at }) =>
              html`<tr ${at === undefined ? undefined : html`data-offset="${at.offset}" data-size="${at.size}"`}>
                ${cells.map((cell, i) => html`<td ${kind(i)}>${i === 0 && at !== undefined ? html`<button type="button" class="at">${cell}</button>` : cell}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
      ${more > 0 ? html`<p>and ${grouped(more)} more: ptxkit inspect shows all</p>` : undefined}
    </div>
  </details>`;
}
