// --trace-symbol and --cref as text, in the words of GNU ld. A line of a trace begins with the place, as diagnostics do, so
// that editors jump there; the table has the defining module first.

import type { CrossReference, Mention, SymbolTrace } from "../link/cross-reference.js";
import { symbolText } from "../link/describe.js";
import { fullName } from "./inspect-elf-text.js";
import { inObject } from "./in-object.js";
import { renderTable, type Row } from "./table.js";

const claims = { strong: "definition", weak: "weak definition", common: "tentative definition" } as const;

function roleText({ role, claim }: Mention): string {
  return role === "definition" ? claims[claim ?? "strong"] : role;
}

const place = ({ file, line }: { readonly file: string; readonly line: number }): string => `${file}:${line}`;

/** What stands behind the role: the declaration, or who refers. */
function detail({ declaration, lostTo, by, object }: Mention): string {
  const parts = [
    ...(declaration === undefined ? [] : [declaration]),
    ...(lostTo === undefined ? [] : [`lost to ${place(lostTo)}`]),
    ...(by === undefined ? [] : [`in ${symbolText(by)}`]),
  ];
  return parts.join(", ") + inObject({ object });
}

/** A line for each mention; `>>>` lines for a name that no input has. */
export function tracesText(traces: readonly SymbolTrace[]): string {
  return traces
    .map((trace) =>
      traceLines(trace)
        .map((line) => `${line}\n`)
        .join(""),
    )
    .join("");
}

function traceLines({ pattern, symbols, nearest }: SymbolTrace): readonly string[] {
  if (symbols.length === 0) {
    const near = nearest.length === 0 ? [] : [`>>> did you mean ${nearest.map(symbolText).join(", ")}?`];
    return [`no symbol ${symbolText(pattern)} in the inputs`, ...near];
  }
  return symbols.flatMap((symbol) =>
    symbol.mentions.map((mention) => {
      const words = mention.role === "reference" ? "reference to" : `${roleText(mention)} of`;
      const rest = mention.role === "reference" ? ` ${detail(mention)}` : `: ${detail(mention)}`;
      return `${place(mention)}: ${words} ${fullName(symbol)}${rest}`;
    }),
  );
}

/** A table in the order of the names, each over its lines. */
export function crossReferenceText(references: readonly CrossReference[]): string {
  const columns = [{ title: "  PLACE" }, { title: "WHAT" }, { title: "" }];
  const rows = references.flatMap((symbol): readonly Row[] => [
    { heading: fullName(symbol) },
    ...symbol.mentions.map((mention) => [`  ${place(mention)}`, roleText(mention), detail(mention)]),
  ]);
  return ["Cross-reference table", "", ...renderTable(columns, rows)].map((line) => `${line}\n`).join("");
}
