// `link --emit ptx --ptx-version`: a merged module for a driver that supports PTX ISA only up to that version, whatever versions
// the modules declare (compilers always write their own version). The text is printed for that version and then checked like any
// other. Features that the version lacks are reported at the instruction, with the earliest version that has all of them.

import { checkModule } from "../../check/check.js";
import type { Diagnostic, LinePlace } from "../../diag/diagnostic.js";
import { createSink, type DiagnosticSink } from "../../diag/sink.js";
import { driverOf, driverReleases } from "../../isa/drivers.table.js";
import { versionText } from "../../isa/requirement.js";
import type { PtxVersion } from "../../isa/targets.table.js";
import { decodeFunction } from "../../object/code/decode.js";
import type { RelocObject } from "../../object/object.js";
import { symbolNames } from "../../object/print/symbol-names.js";
import { parseModule } from "../../ptx/parse.js";
import type { FunctionDeclaration, Module, Statement } from "../../ptx/tree.js";

/** The object from which a text was printed; `whole` is called only if there are errors. */
export interface Lowered extends Pick<RelocObject, "name" | "version"> {
  readonly whole: () => RelocObject;
}

/** Reports features in `text`, printed from an object, that the object's version lacks. */
export function checkLowered(lowered: Lowered, text: Uint8Array, sink: DiagnosticSink): void {
  const { tree, errors } = judge(lowered, text);
  if (errors.length === 0) return;
  const object = lowered.whole();
  const remedy = remedyOf(object, text);
  const nameOf = symbolNames(object);
  const functions = new Map(object.symbols.flatMap(({ kind }, i) => (kind === "function" ? [[nameOf(i), i]] : [])));
  const said = new Set<string>();
  for (const diagnostic of errors) {
    const function_ = functionAt(tree, diagnostic);
    const symbol = function_ && functions.get(function_.name.text);
    const where = symbol === undefined ? "" : `, in '${object.symbols[symbol]!.name}'`;
    const message = `no merged module of PTX ${versionText(object.version)}: ${diagnostic.message}${where}`;
    if (said.has(message)) continue;
    said.add(message);
    const place =
      symbol === undefined ? undefined : placeIn(object, symbol, instructionsBefore(function_!, diagnostic));
    sink.report("not-in-version", message, place, { remedy });
  }
}

function judge(object: Pick<RelocObject, "name">, text: Uint8Array) {
  const found = createSink();
  const tree = parseModule({ name: object.name, bytes: text }, found);
  checkModule(tree, found);
  return { tree, errors: found.all.filter(({ severity }) => severity === "error") };
}

/** The earliest later version with all features, at most the modules' own, and the driver that supports it. */
function remedyOf(object: RelocObject, text: Uint8Array): string {
  const latest = object.modules.reduce((last, each) => (each.version > last.version ? each : last));
  const rest = text.subarray(text.indexOf(0x0a));
  const has = (version: PtxVersion): boolean =>
    judge(object, Buffer.concat([Buffer.from(`.version ${versionText(version)}`), rest])).errors.length === 0;
  const later = driverReleases.map(({ version }) => version);
  const enough = later.find((version) => version > object.version && version <= latest.version && has(version));
  const says = `${latest.name} says ${versionText(latest.version)}, the latest here`;
  if (enough === undefined) return `give a later version to --ptx-version, or compile this for an older one; ${says}`;
  return (
    `--ptx-version ${versionText(enough)} is the earliest that has all of it, for ${driverOf(enough)}; ` +
    `for older drivers compile this for PTX ${versionText(object.version)}; ${says}`
  );
}

/** The function at which a diagnostic points. */
function functionAt({ items }: Module, { place }: Diagnostic): FunctionDeclaration | undefined {
  if (place?.kind !== "text") return undefined;
  for (const item of items)
    if (item.kind === "function" && item.start <= place.start && place.start < item.end) return item;
  return undefined;
}

/** The number of instructions before a diagnostic's place; undefined if it is not in the body. */
function instructionsBefore({ body }: FunctionDeclaration, { place }: Diagnostic): number | undefined {
  if (body === undefined || place?.kind !== "text" || place.start < body.start) return undefined;
  let count = 0;
  const walk = (statements: readonly Statement[]): void => {
    for (const statement of statements)
      if (statement.kind === "block") walk(statement.statements);
      else if (statement.kind === "instruction" && statement.end <= place.start) count++;
  };
  walk(body.statements);
  return count;
}

/** The line of a function's instruction in its module, or of the function's declaration. */
function placeIn({ modules, symbols, sections }: RelocObject, index: number, instruction?: number): LinePlace {
  const { origin } = symbols[index]!;
  const file = modules[origin.module]!.name;
  const code = sections.find(({ role }) => role.kind === "text" && role.symbol === index)?.data;
  const decoded = code === undefined || instruction === undefined ? undefined : decodeFunction(code);
  const line = decoded?.ok === true ? decoded.value.code.instructions[instruction!]?.line : undefined;
  if (line !== undefined && line > 0) return { kind: "line", file, line };
  const place = { kind: "line", file, line: origin.line } as const;
  return origin.column === undefined ? place : { ...place, column: origin.column };
}
