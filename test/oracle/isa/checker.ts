// Many statements in one module, and the checker's verdict on each.

import { checkSource } from "../../../lib/check/check.js";
import { createSink } from "../../../lib/diag/sink.js";
import { prelude, preludeLines } from "./operands.js";

export interface Batch {
  readonly version: string;
  readonly target: string;
  readonly statements: readonly string[];
}

/** Of each statement: why it was refused, or undefined where it was accepted. */
export type Verdicts = readonly (string | undefined)[];

/** A kernel of the statements, one a line, without those that `refused` has. */
export function moduleText(batch: Batch, refused: ReadonlyMap<number, unknown>): string {
  const lines = batch.statements.map((statement, i) => (refused.has(i) ? "" : statement));
  return `${prelude(batch.version, batch.target)}${lines.join("\n")}\nret;\n}\n`;
}

/** What the checker says. It is asked again without what it refused: a fault of syntax may hide the next line's. */
export function askChecker(batch: Batch): Verdicts {
  const refused = new Map<number, string>();
  for (;;) {
    const more = [...verdicts(batch, refused)];
    if (more.length === 0) return batch.statements.map((_, i) => refused.get(i));
    for (const [index, why] of more) refused.set(index, why);
  }
}

/** Why statements are refused that are not among `known`. */
function verdicts(batch: Batch, known: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const sink = createSink();
  const source = { name: "a.ptx", bytes: new TextEncoder().encode(moduleText(batch, known)) };
  checkSource(source, sink);
  const first = preludeLines(batch.version, batch.target) + 1;
  const refused = new Map<number, string>();
  /** Names that the module is too old to declare; a family of them is reported at its first use only. */
  const undeclared: string[] = [];
  for (const { severity, place, message } of sink.all) {
    if (severity !== "error") continue;
    if (place?.kind !== "text" || place.line < first) throw new Error(`checker: ${message}`);
    refused.set(place.line - first, message);
    const name = /^'(.*)' is not declared$/.exec(message)?.[1];
    if (name !== undefined) undeclared.push(name.replace(/\d+$/, ""));
  }
  batch.statements.forEach((statement, i) => {
    const name = undeclared.find((part) => statement.includes(part));
    if (name !== undefined && !known.has(i)) refused.set(i, `'${name}' is not declared`);
  });
  return refused;
}

/** Why the checker refuses a module; undefined where it does not. */
export function refusalOf(text: string): string | undefined {
  const sink = createSink();
  checkSource({ name: "a.ptx", bytes: new TextEncoder().encode(text) }, sink);
  return sink.all.find(({ severity }) => severity === "error")?.message;
}
