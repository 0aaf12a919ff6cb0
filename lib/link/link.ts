// The linker: relocatable objects in, one image out. This file is the list of its passes, in order, with what holds between
// them; each pass is a file of its own. Semantics follow nvlink where it is sound (docs/linking.md). The result depends on
// the inputs, their order and the options, and on nothing else. Linear in its inputs.

import type { DiagnosticSink } from "../diag/sink.js";
import type { LinkedImage, ObjectFile, RelocObject } from "../object/object.js";
import { stripDebug } from "../object/strip.js";
import { findSharedUses } from "./callgraph.js";
import { collectGarbage, type CollectOptions } from "./collect.js";
import { checkCompatibility, type CompatibilityOptions } from "./compatible.js";
import { addAliases, defineSymbols, rootsWith, type SymbolDefinition } from "./defsym.js";
import { makeImage } from "./image.js";
import { layOutData } from "./layout.js";
import { checkDataLimits, checkSharedLimits, DEFAULT_IMAGE_BYTES } from "./limits.js";
import type { Inputs } from "./inputs.js";
import type { Linked } from "./map.js";
import { detectOdrViolations } from "./odr.js";
import { resolve, type Resolution } from "./resolve.js";
import { checkRoots } from "./roots.js";
import { layOutShared } from "./shared.js";
import { createSuggester, type Suggestion } from "./suggest.js";
import { chooseTarget, versionFor } from "./targets.js";
import { keepTexts } from "./texts.js";
import { checkUndefined, type UnresolvedOptions } from "./undefined.js";
import { setVisibility, type VisibilityRule } from "./visibility.js";
import { wrapReferences } from "./wrap.js";

export interface LinkOptions extends CollectOptions, CompatibilityOptions, UnresolvedOptions {
  /** The image's target, "sm_90"; the first input's unless given. */
  readonly arch?: string;
  /** The input that counts as first there, by its number; 0 unless given. A member of an archive does not. */
  readonly leader?: number;
  /** What is known of a name from members of archives that were not taken, where it stays undefined. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
  /** The image's name, for messages; "a.out" unless given. */
  readonly name?: string;
  /** Names whose undefined references mean __wrap_NAME. */
  readonly wrap?: readonly string[];
  /** Names that stand for other symbols. */
  readonly define?: readonly SymbolDefinition[];
  /** Which definitions others see in the image; the last rule that fits counts. */
  readonly visibility?: readonly VisibilityRule[];
  /** Whether lines, .file entries and DWARF are left out (--strip-debug). */
  readonly stripDebug?: boolean;
  /** Whether the image tells which relocations were applied (--emit-relocs). */
  readonly emitRelocations?: boolean;
  /** Bytes of initialised data that the image may have. */
  readonly maxImageBytes?: number;
  /** Whether .weak definitions of one name are held against each other. */
  readonly detectOdrViolations?: boolean;
  /** Told of every name, before anything is dropped or found wrong: for tracing symbols. */
  readonly onResolved?: (inputs: Inputs, resolution: Resolution) => void;
  /** Told what was settled, once the image is made: for maps. */
  readonly onLinked?: (linked: Linked) => void;
  /** Called after each pass, for timing. */
  readonly onPass?: (pass: string) => void;
}

/** The image, or undefined when the sink has errors. Objects come in command-line order, and may be read from files. */
export function linkObjects(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): LinkedImage | undefined {
  const errorsBefore = sink.errorCount;
  const failed = (): boolean => sink.errorCount > errorsBefore;
  const done = options.onPass ?? (() => {});

  const given = checkInputs(objects, sink);
  if (given === undefined) return undefined;
  const goal = chooseTarget(given, options.arch, sink, options.leader);
  if (goal === undefined) return undefined;
  done("targets");

  const wrapped = wrapReferences(given, options.wrap ?? []);
  const { inputs: named, aliases, settled } = defineSymbols(wrapped, options.define ?? [], sink);
  done("names");
  // Beyond this point modules refer to symbols by the names that these have.

  const asWritten = resolve(named);
  options.onResolved?.(named, asWritten);
  done("resolve");
  // Beyond this point there are no new symbols, and every name means one of them.

  checkCompatibility(named, asWritten.merged, options, sink);
  if (options.detectOdrViolations === true) detectOdrViolations(named, asWritten.merged, sink);
  done("compatible");
  const all = setVisibility({ inputs: named, resolution: asWritten }, options.visibility ?? [], sink);
  done("visibility");
  const suggester = () => createSuggester(named, asWritten.merged, options.suggestElsewhere);
  checkRoots(named, asWritten.merged, options.roots ?? {}, suggester, sink);
  const roots = rootsWith(options.roots ?? {}, aliases);
  const { inputs, resolution } = collectGarbage(all.inputs, all.resolution, { ...options, roots }, sink);
  done("live");
  // Beyond this point there is nothing dead, where that was asked for.

  const texts = keepTexts(inputs, resolution);
  checkUndefined(inputs, resolution, texts, { ...options, settled }, suggester, sink);
  done("undefined");
  if (failed()) return undefined;
  // Beyond this point the modules agree, and what is referred to is there.

  const data = layOutData(inputs, resolution);
  checkDataLimits(inputs, resolution, data, options.maxImageBytes ?? DEFAULT_IMAGE_BYTES, sink);
  done("layout");
  const uses = findSharedUses(inputs, resolution, texts);
  done("callgraph");
  const shared = layOutShared(resolution.merged, uses);
  checkSharedLimits(inputs, resolution.merged, uses.byKernel, shared, goal.target, sink);
  done("shared");
  if (failed()) return undefined;
  // Beyond this point every offset is fixed.

  const version = versionFor(goal.target, inputs);
  const { emitRelocations = false } = options;
  const laidOut = { inputs, resolution, texts, data, shared, emitRelocations };
  const whole = addAliases(makeImage(laidOut, { ...goal, version }, options.name ?? "a.out"), aliases);
  const image = options.stripDebug === true ? stripDebug(whole) : whole;
  options.onLinked?.({ ...laidOut, uses, image, aliases });
  done("image");
  return image;
}

/** The objects, where all can be linked. */
export function checkInputs(objects: readonly ObjectFile[], sink: DiagnosticSink): readonly RelocObject[] | undefined {
  if (objects.length === 0) {
    sink.report("no-input", "there is nothing to link", undefined, { remedy: "name at least one module" });
    return undefined;
  }
  const images = objects.filter(({ type }) => type === "executable");
  for (const { name } of images)
    sink.report(
      "already-linked",
      `${name} is a linked image, not a relocatable object`,
      { kind: "bytes", file: name, offset: 0 },
      {
        remedy: "link the objects that it was made from",
      },
    );
  return images.length === 0 ? objects.filter(isRelocatable) : undefined;
}

const isRelocatable = (object: ObjectFile): object is RelocObject => object.type === "relocatable";
