// The passes that every output of the linker has in common (image, -r, merged PTX), in order, with what holds between them:
// from objects to names that each mean one symbol, and from there to what is kept and found complete.

import type { DiagnosticSink } from "../diag/sink.js";
import type { AddressSize } from "../check/address-size.js";
import { addressSizeOf, type ObjectFile, type RelocObject } from "../object/object.js";
import { checkAddressSizes } from "./address-sizes.js";
import { collectGarbage } from "./live/collect.js";
import { checkCompatibility } from "./names/compatible.js";
import { defineSymbols, rootsWith } from "./names/defsym.js";
import { checkDriverPrototypes } from "./names/driver-prototypes.js";
import type { Inputs } from "./inputs.js";
import { checkKernelNames } from "./names/kernel-names.js";
import { readNames, type Alias } from "./linked.js";
import type { LinkOptions } from "./options.js";
import { detectOdrViolations } from "./names/odr.js";
import { resolve, type Resolution } from "./names/resolve.js";
import { inOutputOrder, openPlaceOf } from "./names/output-order.js";
import { checkRoots } from "./live/root-candidates.js";
import { createSuggester } from "./undefined/suggest.js";
import type { ChooseGoal, Goal } from "./targets.js";
import { keepTexts, type KeptTexts } from "./layout/texts.js";
import { checkUndefined } from "./undefined/undefined.js";
import { setVisibility } from "./names/visibility.js";
import { wrapReferences } from "./names/wrap.js";

interface Resolved {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
}

/** The inputs once every name means one symbol. */
export interface Named extends Resolved {
  readonly goal: Goal;
  /** Before --export and --localize: what messages speak of. */
  readonly asWritten: Resolved;
  readonly aliases: readonly Alias[];
  /** Names that options settle. */
  readonly settled: ReadonlySet<string>;
}

/** What goes into the output. */
export interface Kept extends Resolved {
  readonly texts: KeptTexts;
}

/** Undefined after a report where nothing more can be said; otherwise the sink may have errors, and more can be found. */
export function settleNames(
  objects: readonly ObjectFile[],
  choose: ChooseGoal,
  options: LinkOptions,
  sink: DiagnosticSink,
): Named | undefined {
  const done = options.onPass ?? (() => {});
  const given = checkInputs(objects, sink);
  if (given === undefined) return undefined;
  const goal = choose(given, options.arch, sink, options.leader);
  if (goal === undefined) return undefined;
  if (!checkAddressSizes(given, sink)) return undefined;
  done("targets");

  const wrapped = wrapReferences(given, options.wrap ?? []);
  const { inputs, aliases, settled } = defineSymbols(wrapped, options.define ?? [], sink);
  done("names");
  // Beyond this point modules refer to symbols by the names that these have.

  const resolution = resolve(inputs);
  options.onResolved?.({ inputs, resolution: readNames(resolution) });
  done("resolve");
  // Beyond this point there are no new symbols, and every name means one of them.

  checkCompatibility(inputs, resolution.merged, options, sink);
  checkDriverPrototypes(inputs, resolution.merged, addressSize(inputs), sink);
  if (options.detectOdrViolations === true) detectOdrViolations(inputs, resolution.merged, sink);
  done("compatible");
  const asWritten = { inputs, resolution };
  const visible = setVisibility(asWritten, options.visibility ?? [], sink);
  done("visibility");
  return { ...visible, goal, asWritten, aliases, settled };
}

/** `mayBeOpen`: whether the output is for another link, which may define what is undefined here. */
export function settleReferences(named: Named, mayBeOpen: boolean, options: LinkOptions, sink: DiagnosticSink): Kept {
  const done = options.onPass ?? (() => {});
  const { asWritten, aliases, settled } = named;
  const written = { inputs: asWritten.inputs, resolution: readNames(asWritten.resolution) };
  const suggester = () => createSuggester(written, options.suggestElsewhere);
  checkRoots(asWritten.inputs, asWritten.resolution, options.roots ?? {}, suggester, sink);
  const roots = { ...rootsWith(options.roots ?? {}, aliases), forLater: mayBeOpen };
  const { inputs, resolution } = collectGarbage(named.inputs, named.resolution, { ...options, roots }, sink);
  done("live");
  // Beyond this point there is nothing dead, where that was asked for.

  if (!mayBeOpen) {
    checkUndefined(inputs, resolution, keepTexts(inputs, resolution), { ...options, settled }, suggester, sink);
    checkKernelNames(inputs, resolution.merged, sink);
  }
  done("undefined");

  const ordered = inOutputOrder(resolution, openPlaceOf(mayBeOpen, options.gcSections));
  return { inputs, resolution: ordered, texts: keepTexts(inputs, ordered) };
  // Beyond this point names have the order of the output.
}

const addressSize = (inputs: Inputs): AddressSize =>
  addressSizeOf({ modules: inputs.flatMap(({ modules }) => modules) });

/** The objects, where all can be linked. */
function checkInputs(objects: readonly ObjectFile[], sink: DiagnosticSink): readonly RelocObject[] | undefined {
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
  return images.length === 0 ? objects.filter(isRelocatable) : undefined;
}

const isRelocatable = (object: ObjectFile): object is RelocObject => object.type === "relocatable";
