// A template for HTML text that escapes inserted values, except those that are HTML already.

export interface Html {
  readonly html: string;
}

export type HtmlPart = Html | string | number | undefined | readonly HtmlPart[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);

const htmlOf = (part: HtmlPart): string => {
  if (part === undefined) return "";
  if (typeof part === "string") return escapeHtml(part);
  if (typeof part === "number") return String(part);
  return "html" in part ? part.html : part.map(htmlOf).join("");
};

/** The template's strings are HTML; its parts are escaped text. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return { html: strings.map((text, i) => text + htmlOf(parts[i])).join("") };
}

/** JSON for a script element, escaped so that its contents cannot end the element. */
export const jsonHtml = (value: unknown): Html => ({ html: JSON.stringify(value).replaceAll("<", "\\u003c") });

export interface TableColumn {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** A table with a caption, whose first column heads its rows. */
export function table(caption: string, columns: readonly TableColumn[], rows: readonly (readonly HtmlPart[])[]): Html {
  const kind = (i: number): Html => (columns[i]!.isNumber === true ? html` class="number"` : html``);
  return html`<div class="table">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title }, i) => html`<th scope="col" ${kind(i)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, i) =>
                i === 0 ? html`<th scope="row" ${kind(i)}>${cell}</th>` : html`<td${kind(i)}>${cell}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
