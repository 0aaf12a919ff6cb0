// `link --emit ptx --ptx-version`: a merged module for a driver that knows no later PTX ISA than that, whatever the modules say
// (compilers write their own version, whether anything needs it or not). The text is made for that version and then judged as any
// other: what is in it that the version has not is told at the function that it is in.

import { checkModule } from "../check/check.js";
import type { Diagnostic, LinePlace } from "../diag/diagnostic.js";
import { createSink, type DiagnosticSink } from "../diag/sink.js";
import { versionText } from "../isa/requirement.js";
import type { ObjectSymbol, RelocObject } from "../object/object.js";
import { parseModule } from "../ptx/parse.js";
import type { Module } from "../ptx/tree.js";

/** Reports what of `text`, the text of `object`, the object's version has not. */
export function checkLowered(object: RelocObject, text: Uint8Array, sink: DiagnosticSink): void {
  const found = createSink();
  const tree = parseModule({ name: object.name, bytes: text }, found);
  checkModule(tree, found);
  const latest = object.modules.reduce((last, each) => (each.version > last.version ? each : last));
  const functions = new Map(object.symbols.map((symbol) => [symbol.name, symbol]));
  const said = new Set<string>();
  for (const diagnostic of found.all) {
    if (diagnostic.severity !== "error") continue;
    const symbol = functions.get(functionAt(tree, diagnostic) ?? "");
    const where = symbol === undefined ? "" : `, in '${symbol.name}'`;
    const message = `no merged module of PTX ${versionText(object.version)}: ${diagnostic.message}${where}`;
    if (said.has(message)) continue;
    said.add(message);
    sink.report("not-in-version", message, symbol === undefined ? undefined : placeOf(object, symbol), {
      remedy: `give a later version to --ptx-version, or compile this for an older one; ${latest.name} says ${versionText(latest.version)}, the latest here`,
    });
  }
}

/** The name of the function that a diagnostic is about. */
function functionAt({ items }: Module, { place }: Diagnostic): string | undefined {
  if (place?.kind !== "text") return undefined;
  for (const item of items)
    if (item.kind === "function" && item.start <= place.start && place.start < item.end) return item.name.text;
  return undefined;
}

function placeOf({ modules }: RelocObject, { origin }: ObjectSymbol): LinePlace {
  const { line, column } = origin;
  const place = { kind: "line", file: modules[origin.module]!.name, line } as const;
  return column === undefined ? place : { ...place, column };
}
