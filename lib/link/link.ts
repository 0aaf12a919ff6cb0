// The linker: relocatable objects in, one image out. This file and settle.ts are the list of its passes, in order, with what
// holds between them; each pass is a file of its own. Semantics follow nvlink where it is sound (docs/linking.md). The result
// depends on the inputs, their order and the options, and on nothing else. Linear in its inputs.

import { checkOptions } from "../base/known-options.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { LinkedImage, ObjectFile } from "../object/object.js";
import { withLineTables } from "../object/dwarf/line-tables.js";
import { stripCode, stripDebug } from "../object/strip.js";
import { stripLocals } from "../object/strip-locals.js";
import { arrange } from "./layout/arrange.js";
import { findSharedUses } from "./shared/callgraph.js";
import { addAliases } from "./names/defsym.js";
import { makeImage, numberSymbols } from "./output/image.js";
import type { Inputs } from "./inputs.js";
import { layOutData } from "./layout/layout.js";
import { checkDataLimits, checkSharedLimits, DEFAULT_IMAGE_BYTES, systemSharedBytes } from "./layout/limits.js";
import { readNames, type Linked } from "./linked.js";
import { linkOptions, type LinkOptions } from "./options.js";
import type { LaidOut } from "./output/sections.js";
import { settleNames, settleReferences } from "./settle.js";
import { layOutShared } from "./shared/shared.js";
import type { KeptTexts } from "./layout/texts.js";
import { chooseTarget, versionFor } from "./targets.js";
import { reportUnknownStacks } from "./reports/unknown-stack.js";

/** The image, or undefined when the sink has errors. Objects come in command-line order, and may be read from files. */
export function linkObjects(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): LinkedImage | undefined {
  checkOptions(options, linkOptions, "linkObjects");
  const linked = layOutLink(objects, options, sink);
  if (linked === undefined) return undefined;
  const made = makeImage(linked, linked.image);
  if (options.warnUnknownStacks === true && made.codeFacts.some(({ isRecursive }) => isRecursive))
    reportUnknownStacks(linked.forReports, sink);
  const whole = addAliases(made, linked.aliases);
  const image = stripped(whole, options);
  options.onPass?.("image");
  return image;
}

/** What the image is made of, all of it settled. */
function layOutLink(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): (LaidOut & Pick<Linked, "image" | "aliases"> & { readonly forReports: Linked }) | undefined {
  const errorsBefore = sink.errorCount;
  const failed = (): boolean => sink.errorCount > errorsBefore;
  const done = options.onPass ?? (() => {});

  const named = settleNames(objects, chooseTarget, options, sink);
  if (named === undefined) return undefined;
  const { goal, aliases } = named;
  const { inputs, resolution, texts } = arrange(settleReferences(named, false, options, sink), options, sink);
  if (failed()) return undefined;
  // Beyond this point the modules agree, and what is referred to is there.

  const names = { inputs, resolution: readNames(resolution) };
  const data = layOutData(inputs, resolution, options);
  checkDataLimits(names, data.joined, options.maxImageBytes ?? DEFAULT_IMAGE_BYTES, sink);
  done("layout");
  const uses = findSharedUses(inputs, resolution, texts);
  done("callgraph");
  const shared = layOutShared(inputs, resolution, uses, options.gcSections === true, {
    systemBytes: systemSharedBytes(goal.target),
    wholeProgram: options.wholeProgram === true,
  });
  checkSharedLimits(names, uses, shared, goal.target, sink);
  done("shared");
  if (failed()) return undefined;
  // Beyond this point every offset is fixed.

  const version = versionFor(goal.target, inputs);
  const { emitRelocations = false } = options;
  const image = { name: options.name ?? "a.out", target: goal.target, version };
  const laidOut = { inputs, resolution, texts, data, shared, emitRelocations };
  const inImage = () => {
    const numbers = numberSymbols(laidOut);
    return (symbol: number) => numbers[symbol] !== -1;
  };
  const forReports = { ...laidOut, resolution: readNames(resolution), uses, image, aliases, inImage };
  if (options.onLinked !== undefined) {
    const shown = options.stripDebug === true ? withStrippedTexts(inputs, texts) : inputs;
    options.onLinked({ ...forReports, inputs: shown });
  }
  return { ...laidOut, image, aliases, forReports };
}

/** The inputs with the code that the image has of them. */
function withStrippedTexts(inputs: Inputs, texts: KeptTexts): Inputs {
  const kept = inputs.map(() => new Set<number>());
  for (const { object, section } of texts) kept[object]!.add(section);
  return inputs.map((input, object) => stripCode(input, (section) => kept[object]!.has(section)));
}

function stripped(image: LinkedImage, { stripDebug: isDebugOut, discardLocals, lineTables }: LinkOptions): LinkedImage {
  const rest = isDebugOut === true ? stripDebug(image) : lineTables === true ? withLineTables(image) : image;
  return discardLocals === true ? stripLocals(rest) : rest;
}
