// `link --emit ptx`: all inputs as one PTX module that ptxas accepts and that means what their image does. The inputs are
// resolved as for an image, joined (relocatable.ts) and printed (object/print/disassemble.ts): weak losers are gone, common symbols
// are definitions, static symbols that share a name get a number, what a module declares of another is declared only
// where the order asks for it. docs/linking.md, "Merged PTX".
// Rejected: joining the inputs' texts with their names replaced, as GCC's nvptx-none-ld nearly does; objects have no text.

import type { FormatError } from "../../../formats/bytes/result.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { versionText, type PtxVersion } from "../../isa/requirement.js";
import { disassemble, disassembled, type DroppedDebug } from "../../object/print/disassemble.js";
import type { ObjectFile, ObjectSymbol, RelocObject } from "../../object/object.js";
import { lastVersion } from "../../object/print/old-platform.js";
import { stripDebug } from "../../object/strip.js";
import { findSharedUses } from "../shared/callgraph.js";
import { describe } from "../names/describe.js";
import type { Inputs } from "../inputs.js";
import { joinedOf } from "./joined.js";
import { layOutData } from "../layout/layout.js";
import { checkDataLimits, checkSharedLimits, DEFAULT_IMAGE_BYTES, systemSharedBytes } from "../layout/limits.js";
import { checkLowered } from "./lower-version.js";
import { readNames } from "../linked.js";
import type { LinkOptions } from "../options.js";
import { joinObjects } from "./relocatable.js";
import type { Resolution } from "../names/resolve.js";
import { settleNames, settleReferences } from "../settle.js";
import { layOutShared } from "../shared/shared.js";
import { chooseModuleTarget, type Goal } from "../targets.js";
import { reportDroppedDebug, reportDroppedNames } from "./text-remarks.js";
import { encoded } from "../inputs/text-parts.js";
import type { KeptTexts } from "../layout/texts.js";

/** Options of emitPtx. */
export interface EmitOptions extends LinkOptions {
  /** -r: what is undefined or common stays so, for modules to come. */
  readonly relocatable?: boolean;
  /** What the text is to say, whatever the modules do; the latest of theirs unless given. */
  readonly ptxVersion?: PtxVersion;
}

/**
 * The module's text in UTF-8, or undefined when the sink has errors. `onLinked` is for images only. What `define` names is what
 * references mean; the names themselves are not in the text, because PTX has second names for functions of one module only.
 */
export function emitPtx(
  objects: readonly ObjectFile[],
  options: EmitOptions,
  sink: DiagnosticSink,
): Uint8Array | undefined {
  const errorsBefore = sink.errorCount;
  const failed = (): boolean => sink.errorCount > errorsBefore;
  const done = options.onPass ?? (() => {});

  const named = settleNames(objects, chooseModuleTarget, options, sink);
  if (named === undefined) return undefined;
  const { goal } = named;
  reportDroppedNames(named.aliases, sink);
  const { inputs, texts, ...kept } = settleReferences(named, options.relocatable === true, options, sink);
  const resolution = withoutReplaced(kept.resolution);
  if (failed()) return undefined;
  if (options.relocatable !== true) checkLimits(inputs, resolution, texts, goal, options, sink);
  done("limits");
  if (failed()) return undefined;

  const joined = joinObjects(
    inputs,
    resolution,
    texts,
    goal,
    { ...options, name: options.name ?? "a.ptx" },
    () => undefined,
  );
  const whole = options.relocatable === true ? joined : { ...joined, symbols: joined.symbols.map(withoutCommon) };
  const stripped = options.stripDebug === true ? stripDebug(whole) : whole;
  const object = options.ptxVersion === undefined ? stripped : { ...stripped, version: options.ptxVersion };
  done("join");
  checkVersion(object, sink);
  if (failed()) return undefined;
  options.onJoined?.(joinedOf(inputs, resolution, object, "ptx"));
  const text = textOf(object, objects, named.settled, sink);
  done("text");
  if (text === undefined || options.ptxVersion === undefined) return text;
  checkLowered({ name: object.name, version: object.version, whole: () => object }, text, sink);
  done("version");
  return failed() ? undefined : text;
}

/** Of definitions that were replaced a text has nothing: a name stands for one thing in it. */
const withoutReplaced = ({ merged, mergedOf }: Resolution): Resolution => ({
  merged: merged.map(({ name, chosen, all, align }) => ({ name, chosen, all, align })),
  mergedOf,
});

/** Refuses what no image could hold, as the link of one does. */
function checkLimits(
  inputs: Inputs,
  resolution: Resolution,
  texts: KeptTexts,
  { target }: Goal,
  { maxImageBytes = DEFAULT_IMAGE_BYTES, gcSections = false }: EmitOptions,
  sink: DiagnosticSink,
): void {
  const names = { inputs, resolution: readNames(resolution) };
  checkDataLimits(names, layOutData(inputs, resolution).joined, maxImageBytes, sink);
  const uses = findSharedUses(inputs, resolution, texts);
  const shared = layOutShared(inputs, resolution, uses, gcSections, {
    systemBytes: systemSharedBytes(target),
    wholeProgram: false,
  });
  checkSharedLimits(names, uses, shared, target, sink);
}

/** A tentative definition becomes the definition. */
const withoutCommon = (symbol: ObjectSymbol): ObjectSymbol =>
  symbol.linkage === "common" ? { ...symbol, linkage: "visible" } : symbol;

/** One module has one version: the latest of all may not have what an old module says. */
function checkVersion({ symbols, modules, version }: RelocObject, sink: DiagnosticSink): void {
  const raising = modules.find((module) => module.version === version);
  for (const symbol of symbols) {
    const last = lastVersion(symbol);
    if (last === undefined || version <= last) continue;
    const { name } = modules[symbol.origin.module]!;
    const because = raising === undefined ? "which the target asks for" : `the version of ${raising.name}`;
    sink.report(
      "not-in-version",
      `${describe(symbol)} cannot be said in PTX ${versionText(version)}, ${because}: PTX ${versionText(last)} is the last that has it`,
      { kind: "line", file: name, line: symbol.origin.line },
      { remedy: "merge it with modules of earlier versions only, or link an image" },
    );
  }
}

function textOf(
  object: RelocObject,
  objects: readonly ObjectFile[],
  settled: ReadonlySet<string>,
  sink: DiagnosticSink,
): Uint8Array | undefined {
  const onDebugDropped = (dropped: DroppedDebug): void => reportDroppedDebug(object, dropped, sink);
  const parts: Uint8Array[] = [];
  const printing = encoded(disassembled(object, { settled, onDebugDropped }));
  for (let next = printing.next(); ; next = printing.next()) {
    if (next.done !== true) {
      parts.push(next.value.slice());
      continue;
    }
    if (next.value.ok) return joinBytes(parts);
    reportDamage(objects, next.value.error, object.name, sink);
    return undefined;
  }
}

/** Of a function that cannot be printed, at the input that it came in, which cannot be printed alone, either. */
function reportDamage(objects: readonly ObjectFile[], joined: FormatError, name: string, sink: DiagnosticSink): void {
  for (const each of objects) {
    const alone = disassemble(each);
    if (alone.ok) continue;
    const { what, offset } = alone.error;
    return sink.report("malformed-file", what, { kind: "bytes", file: each.name, offset });
  }
  sink.report("malformed-file", joined.what, { kind: "bytes", file: name, offset: joined.offset });
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
