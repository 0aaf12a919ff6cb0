// --trace-symbol and --cref as text, in GNU ld's terms. A line of a trace begins with the place, as in diagnostics, so that
// editors can jump to it. The table lists the defining module first.

import type { CrossReference, Mention, SymbolTrace } from "../link/reports/cross-reference.js";
import { symbolText } from "../link/model/describe.js";
import { fullName } from "./inspect-elf-text.js";
import { inObject } from "./in-object.js";
import { listOf } from "../base/series.js";
import { ended } from "./lines.js";
import { tableLines, type Row } from "./table.js";

const claims = { strong: "definition", weak: "weak definition", common: "tentative definition" } as const;

function roleText({ role, claim }: Mention): string {
  return role === "definition" ? claims[claim ?? "strong"] : role;
}

const place = ({ file, line }: { readonly file: string; readonly line: number }): string => `${file}:${line}`;

/** The text after the role: the declaration, or the referring symbol. */
function detail({ declaration, lostTo, by, object }: Mention): string {
  const where = inObject({ object });
  if (by !== undefined) return `in ${symbolText(by)}${where}`;
  return lostTo === undefined ? `${declaration}${where}` : `${declaration}, lost to ${place(lostTo)}${where}`;
}

/** A line for each mention; `>>>` lines for a name that no input has. */
export function* tracesText(traces: readonly SymbolTrace[]): Generator<string, void, undefined> {
  for (const trace of traces) yield* ended(traceLines(trace));
}

function* traceLines({ pattern, symbols, nearest }: SymbolTrace): Generator<string> {
  let isKnown = false;
  for (const symbol of symbols) {
    isKnown = true;
    for (const mention of symbol.mentions) {
      const words = mention.role === "reference" ? "reference to" : `${roleText(mention)} of`;
      const rest = mention.role === "reference" ? ` ${detail(mention)}` : `: ${detail(mention)}`;
      yield `${place(mention)}: ${words} ${fullName(symbol)}${rest}`;
    }
  }
  if (isKnown) return;
  yield `no symbol ${symbolText(pattern)} in the inputs`;
  if (nearest.length > 0) yield `>>> did you mean ${nearest.map(symbolText).join(", ")}?`;
}

/** One table for all names, in order; each name precedes its rows. */
export function* crossReferenceText(references: Iterable<CrossReference>): Generator<string, void, undefined> {
  const columns = [{ title: "  PLACE" }, { title: "WHAT" }, { title: "" }];
  const rows = listOf(function* (): Generator<Row> {
    for (const symbol of references) {
      yield { heading: fullName(symbol) };
      for (const mention of symbol.mentions) yield [`  ${place(mention)}`, roleText(mention), detail(mention)];
    }
  });
  yield "Cross-reference table\n\n";
  yield* ended(tableLines(columns, rows));
}
