// Links over columns (link/link.ts) for programs that call the library: an image, a relocatable object or PTX, with all
// diagnostics in the sink. The command line runs the same steps one by one, and loads code on demand (cli/commands/link-fast.ts).

import type { FormatError } from "../../formats/bytes/result.js";
import { assert } from "../base/assert.js";
import { checkOptions, type OptionKinds } from "../base/known-options.js";
import { createSink, reportAgain, type DiagnosticSink } from "../diag/sink.js";
import type { PtxVersion } from "../isa/targets.table.js";
import { lazyImage } from "../object/file/lazy-image.js";
import { decodeObject } from "../object/file/read.js";
import type { LinkedImage, ObjectFile, RelocObject } from "../object/object.js";
import { disassemble } from "../object/print/disassemble.js";
import type { Input } from "./inputs/input.js";
import type { Linked } from "./model/linked.js";
import { linkOptions, type LinkOptions } from "./options.js";
import { reportDroppedDebug } from "./messages/emitted-ptx.js";
import { unlessTooLarge } from "./messages/too-large.js";
import { printModule } from "./relocatable/print.js";
import { finishLink, resolveLink } from "./link.js";
import { removedSymbols, explainLiveness } from "./gc/explain-live.js";
import { joinBytes } from "../../formats/bytes/writer.js";
import { createPacker } from "../object/columns/packed/pack.js";
import type { LinkInput } from "../object/columns/packed/packed-object.js";
import { hasDiagnostics } from "./detect/detect.js";
import { createTypes } from "../object/columns/types.js";
import { createStrings } from "../object/columns/strings.js";
import { defineSymbols } from "./defsym/define.js";
import { reportLimits } from "./diagnostics/limits.js";
import { reportLowered } from "./diagnostics/version.js";
import { reportDiagnostics } from "./diagnostics/report.js";
import { viewPartialLink } from "./views/relocatable.js";
import { viewLinked, viewNamed } from "./views/views.js";
import { reportUnknownStacks } from "./reports/unknown-stack.js";
import type { PassOptions } from "./state/options.js";
import { type LinkOutput, type ResolvedLink, exceedsLimits } from "./state/results.js";

/**
 * Links objects to an image; undefined if the sink has errors. Objects are in command-line order, and may have been read from
 * files.
 */
export function linkObjects(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): LinkedImage | undefined {
  checkOptions(options, linkOptions, "linkObjects");
  return unlessTooLarge(sink, () => {
    const inputs = packObjects(objects, sink);
    return inputs && imageOf(inputs, options, sink);
  });
}

/**
 * Links objects to one relocatable object; undefined if the sink has errors. It observes only these options: `arch`, `leader`,
 * `name`, `detectOdrViolations`, `onResolved`, `onPartialLink`, `onPass`, `wrap`, `visibility`, `stripDebug` and those of
 * compatibility and garbage collection.
 */
export function linkRelocatable(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): RelocObject | undefined {
  checkOptions(options, linkOptions, "linkRelocatable", { emitPtx: emitOptions });
  const { name = "a.o", define: _, ...heeded } = options;
  return unlessTooLarge(sink, () => {
    const inputs = packObjects(objects, sink);
    const linked = inputs && linkFiles(inputs, { ...withoutOrder(heeded), relocatable: true }, sink);
    if (linked === undefined) return undefined;
    reportPartialLink(inputs!, linked, { ...options, name, relocatable: true });
    const decoded = decodeObject(joinBytes(linked.linked.image), name);
    assert(decoded.ok, "an object that was just written can be read");
    return decoded.value as RelocObject;
  });
}

/** Options of emitPtx. */
export interface EmitOptions extends LinkOptions {
  /** Whether undefined and common symbols stay so, for later links (-r). */
  readonly relocatable?: boolean;
  /** The `.version` of the output; default: the latest of the modules. */
  readonly ptxVersion?: PtxVersion;
}

const emitOptions: OptionKinds<EmitOptions> = { ...linkOptions, relocatable: "flag", ptxVersion: "count" };

/**
 * Links objects to one PTX module and returns its text in UTF-8; undefined if the sink has errors. `onLinked` is for images only.
 * References to names of `define` are replaced; the names themselves are not in the text, because PTX has aliases only for
 * functions of one module.
 */
export function emitPtx(
  objects: readonly ObjectFile[],
  options: EmitOptions,
  sink: DiagnosticSink,
): Uint8Array | undefined {
  checkOptions(options, emitOptions, "emitPtx");
  return unlessTooLarge(sink, () => emit(objects, options, sink));
}

function emit(objects: readonly ObjectFile[], options: EmitOptions, sink: DiagnosticSink): Uint8Array | undefined {
  const inputs = packObjects(objects, sink);
  const linked = inputs && linkFiles(inputs, { ...withoutOrder(options), asText: true }, sink);
  if (linked === undefined) return undefined;
  const errorsBefore = sink.errorCount;
  const { name = "a.ptx", ptxVersion, relocatable = false, stripDebug = false } = options;
  reportPartialLink(inputs!, linked, { ...options, name, relocatable });
  const whole = linked.linked.printed!;
  const printed = ptxVersion === undefined ? whole : { ...whole, version: ptxVersion };
  const { parts, fault, dropped } = printModule(printed, linked.named.settledNames);
  const text = joinBytes(Array.from(parts, (part) => part.slice()));
  for (const each of dropped) reportDroppedDebug({ name, modules: printed.modules }, each, sink);
  const damage = fault();
  if (damage !== undefined) reportDamage(objects, damage, name, sink);
  else if (ptxVersion !== undefined) {
    const asked = { name, ptxVersion, relocatable, stripDebug };
    reportLowered(linked.linked.stages.ordered, linked.named.linkTarget, asked, text, sink);
  }
  options.onPass?.("text");
  return sink.errorCount > errorsBefore ? undefined : text;
}

/** The result of a link. */
export interface LinkedOnColumns {
  /** Undefined after an error. */
  readonly image: LinkedImage | undefined;
}

/**
 * Links opened inputs; undefined if there are none, or one is not available as a file or packed object. Then nothing has been
 * reported.
 */
export function linkOnColumns(
  inputs: readonly Input[],
  options: LinkOptions,
  sink: DiagnosticSink,
): LinkedOnColumns | undefined {
  const files = inputs.flatMap((input) => (input.kind === "object" ? (input.linkInput ?? []) : []));
  if (files.length === 0 || files.length < inputs.length) return undefined;
  const names = inputs.map((input) => (input.kind === "object" ? input.name : input.image.name));
  // Collect diagnostics separately: if an input proves malformed, it is read again, and nothing may have been reported by then.
  const found = createSink();
  const image = imageOf({ files, names }, options, found);
  reportAgain(found.all, sink);
  return { image };
}

/** Inputs in command-line order, with their names in messages. */
interface NamedFiles {
  readonly files: readonly LinkInput[];
  readonly names: readonly string[];
}

function imageOf(inputs: NamedFiles, options: LinkOptions, sink: DiagnosticSink): LinkedImage | undefined {
  const done = linkFiles(inputs, options, sink);
  if (done === undefined) return undefined;
  const { stages, image, hasUnknownStacks } = done.linked;
  const { name = "a.out", warnUnknownStacks = false, onLinked } = options;
  let view: Linked | undefined;
  const linked = (): Linked => (view ??= viewLinked(stages.image!, inputs.names, name));
  if (warnUnknownStacks && hasUnknownStacks === true) reportUnknownStacks(linked(), sink);
  onLinked?.(linked());
  return lazyImage(joinBytes(image), name, stages.image!.columns.debug.length > 0);
}

interface Done {
  readonly named: ResolvedLink;
  readonly linked: LinkOutput;
}

/** Links the files; undefined after an error. */
function linkFiles(
  { files, names }: NamedFiles,
  options: LinkOptions & Pick<PassOptions, "asText" | "relocatable">,
  sink: DiagnosticSink,
): Done | undefined {
  const errorsBefore = sink.errorCount;
  const given = passOptions(options, names);
  const named = resolveLink(files, given);
  options.onResolved?.(viewNamed(named.beforeGc, names));
  if (hasDiagnostics(named.pending)) reportDiagnostics(named, names, given, sink);
  if (sink.errorCount > errorsBefore) return undefined;
  const linked = finishLink(named, given);
  if (!exceedsLimits(linked)) return { named, linked };
  reportLimits(linked, names, given, sink);
  return undefined;
}

function passOptions(
  options: LinkOptions & Pick<PassOptions, "asText" | "relocatable">,
  names: readonly string[],
): PassOptions {
  const { define, whyLive = [], gcSections = false, onRemoved, onWhyLive } = options;
  const isAsked = (onRemoved !== undefined && gcSections) || whyLive.length > 0;
  return {
    ...options,
    defineNames: (columns) => defineSymbols(columns, names, define ?? []),
    hasDefinitions: define !== undefined,
    ...(isAsked && {
      onLive(found) {
        if (gcSections) onRemoved?.([...removedSymbols(found, names)]);
        if (whyLive.length > 0) onWhyLive?.([...explainLiveness(found, names, whyLive, gcSections)]);
      },
    }),
  };
}

/** Removes the options for orders, which apply to images only. */
function withoutOrder({ sectionOrder: _, symbolOrder: __, ...options }: LinkOptions): LinkOptions {
  return options;
}

/** Calls `onPartialLink` with the data for maps of an output that is no image. */
function reportPartialLink(
  { names }: NamedFiles,
  { named: { linkTarget }, linked }: Done,
  {
    onPartialLink,
    name,
    relocatable,
    stripDebug = false,
    ptxVersion = linkTarget.version,
  }: EmitOptions & { readonly name: string },
): void {
  const output = linked.printed === undefined ? "object" : "ptx";
  const how = { output, name, relocatable: relocatable === true, stripDebug } as const;
  onPartialLink?.(viewPartialLink(linked.stages.ordered, { ...linkTarget, version: ptxVersion }, names, how));
}

/** Packs the objects; undefined if there are none, or one is already linked, which is reported. */
function packObjects(objects: readonly ObjectFile[], sink: DiagnosticSink): NamedFiles | undefined {
  if (objects.length === 0) {
    sink.report("no-input", "there is nothing to link", undefined, {
      remedy: "name at least one module: no input holds any",
    });
    return undefined;
  }
  const images = objects.filter(({ type }) => type === "executable");
  for (const { name } of images)
    sink.report(
      "already-linked",
      `${name} is a linked image, not a relocatable object`,
      { kind: "bytes", file: name, offset: 0 },
      { remedy: "link the objects that it was made from" },
    );
  if (images.length > 0) return undefined;
  const dictionary = createTypes(createStrings());
  const pack = createPacker();
  return {
    files: objects.map((object) => pack(object as RelocObject, dictionary)),
    names: objects.map(({ name }) => name),
  };
}

/** Reports a function that cannot be printed, for the input that contains it, which cannot be printed alone, either. */
function reportDamage(objects: readonly ObjectFile[], joined: FormatError, name: string, sink: DiagnosticSink): void {
  for (const each of objects) {
    const alone = disassemble(each);
    if (alone.ok) continue;
    const { what, offset } = alone.error;
    return sink.report("malformed-file", what, { kind: "bytes", file: each.name, offset });
  }
  sink.report("malformed-file", joined.what, { kind: "bytes", file: name, offset: joined.offset });
}
