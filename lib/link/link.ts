// The linker: relocatable objects in, one image out. This file is the list of its passes, in order, with what holds between
// them; each pass is a file of its own. Semantics follow nvlink where it is sound (docs/linking.md). The result depends on
// the inputs, their order and the options, and on nothing else. Linear in its inputs.

import type { DiagnosticSink } from "../diag/sink.js";
import type { LinkedImage, ObjectFile, RelocObject } from "../object/object.js";
import { findSharedUses } from "./callgraph.js";
import { collectGarbage, type CollectOptions } from "./collect.js";
import { checkCompatibility } from "./compatible.js";
import { makeImage } from "./image.js";
import { layOutData } from "./layout.js";
import { checkDataLimits, checkSharedLimits, DEFAULT_IMAGE_BYTES } from "./limits.js";
import type { Inputs } from "./inputs.js";
import type { Linked } from "./map.js";
import { resolve, type Resolution } from "./resolve.js";
import { checkRoots } from "./roots.js";
import { layOutShared } from "./shared.js";
import { createSuggester } from "./suggest.js";
import { chooseTarget, versionFor } from "./targets.js";
import { keepTexts } from "./texts.js";
import { checkUndefined } from "./undefined.js";

export interface LinkOptions extends CollectOptions {
  /** The image's target, "sm_90"; the first input's unless given. */
  readonly arch?: string;
  /** The image's name, for messages; "a.out" unless given. */
  readonly name?: string;
  /** Names that may stay undefined, besides the driver's own. */
  readonly allowUndefined?: (name: string) => boolean;
  /** Bytes of initialised data that the image may have. */
  readonly maxImageBytes?: number;
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

  const all = checkInputs(objects, sink);
  if (all === undefined) return undefined;
  const goal = chooseTarget(all, options.arch, sink);
  if (goal === undefined) return undefined;
  done("targets");

  const whole = resolve(all);
  options.onResolved?.(all, whole);
  done("resolve");
  // Beyond this point there are no new symbols, and every name means one of them.

  checkCompatibility(all, whole.merged, sink);
  done("compatible");
  const suggester = () => createSuggester(all, whole.merged);
  checkRoots(all, whole.merged, options.roots ?? {}, suggester, sink);
  const { inputs, resolution } = collectGarbage(all, whole, options, sink);
  done("live");
  // Beyond this point there is nothing dead, where that was asked for.

  const texts = keepTexts(inputs, resolution);
  checkUndefined(inputs, resolution, texts, options.allowUndefined ?? (() => false), suggester, sink);
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
  const laidOut = { inputs, resolution, texts, data, shared };
  const image = makeImage(laidOut, { ...goal, version }, options.name ?? "a.out");
  options.onLinked?.({ ...laidOut, uses, image });
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
