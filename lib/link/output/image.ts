// Pass: the image as a value. Symbols stand in the order of ../names/output-order.ts; what nothing can refer to any more is
// left out: shared variables that no code names, and declarations without a definition that no kept code uses.
// Writing it as ELF is object/file/write.ts.

import { forTarget, NO_FACTS, renumbered } from "../../object/attributes/code-facts.js";
import type { CodeFacts, KernelInfo, LinkedImage, ObjectSymbol, Placement, RelocObject } from "../../object/object.js";
import { withDebugResolved } from "../../object/dwarf/debug-layout.js";
import { reachedFacts } from "../../object/attributes/reached-facts.js";
import { aliaseeOf } from "../live/live.js";
import { isShared } from "../shared/callgraph.js";
import { isDynamicShared, isFromDriver, type Inputs } from "../inputs.js";
import { forEachReference } from "../references.js";
import { claimOf, firstCommon, type Merged, type Resolution } from "../names/resolve.js";
import { makeSections, type LaidOut } from "./sections.js";
import type { SharedLayout } from "../shared/shared.js";
import type { Goal } from "../targets.js";

/** What an image is called, and for what it is. */
export interface ImageFrame extends Goal {
  readonly name: string;
}

export function makeImage(laidOut: LaidOut, { name, target, version }: ImageFrame): LinkedImage {
  const { inputs, resolution, shared } = laidOut;
  const { merged, mergedOf } = resolution;
  const inImage = numberSymbols(laidOut);
  const { sections, placementOf } = makeSections(laidOut, inImage);
  const moduleBase = firstModules(inputs);

  const symbols = merged.flatMap((each, i): ObjectSymbol[] =>
    inImage[i] === -1 ? [] : [mergedSymbol(each, moduleBase, placementOf(i))],
  );
  const isChosen = chosenIn(resolution);
  // As in nvlink's images, the call graph has what was replaced, too, as far as it calls what is there.
  const isCalling = (object: number, index: number): boolean => {
    const { replaced } = merged[mergedOf[object]![index]!]!;
    return isChosen(object, index) || (replaced?.object === object && replaced.index === index);
  };
  const isDefined = (object: number, index: number): boolean =>
    merged[mergedOf[object]![index]!]!.chosen.symbol.placement.kind !== "undefined";
  const numberOf = (object: number, index: number): number => inImage[mergedOf[object]![index]!]!;
  const kernels = chosenKernels(laidOut).map(({ kernel, symbol }) =>
    withShared(kernel, inImage[symbol]!, symbol, shared),
  );
  const calls = inputs.flatMap((input, object) =>
    input.calls
      .filter(
        ({ caller, callee }) => isChosen(object, caller) || (isCalling(object, caller) && isDefined(object, callee)),
      )
      .map(({ caller, callee }) => ({ caller: numberOf(object, caller), callee: numberOf(object, callee) })),
  );
  const taken = new Set(
    inputs.flatMap((input, object) => input.addressTaken.map((symbol) => numberOf(object, symbol))),
  );
  const addressTaken = [...taken].filter((symbol) => symbol !== -1).sort((a, b) => a - b);
  const facts = inputs.flatMap((input, object) =>
    renumbered(
      input.codeFacts.flatMap((each) => {
        if (isChosen(object, each.symbol)) return [each];
        const { symbol, indirectCalls, addressUses } = each;
        return isCalling(object, symbol) ? [{ ...NO_FACTS, symbol, indirectCalls, addressUses }] : [];
      }),
      (symbol) => numberOf(object, symbol),
    ),
  );
  return withDebugResolved({
    type: "executable",
    name,
    target,
    version,
    modules: inputs.flatMap(({ modules }) => modules),
    ...debugOf(inputs),
    sections,
    symbols,
    kernels,
    calls,
    addressTaken,
    codeFacts: reachedFacts(together(forTarget(facts, target.sm)), {
      symbols,
      kernels,
      calls: [...calls, ...secondNames({ symbols, sections })],
      addressTaken,
    }),
  });
}

/** Who calls a second name (`.alias`) reaches what its function does: as if the name called the function. */
const secondNames = (image: Parameters<typeof aliaseeOf>[0]): RelocObject["calls"] =>
  image.symbols.flatMap((_, caller) => {
    const callee = aliaseeOf(image, caller);
    return callee === undefined ? [] : [{ caller, callee }];
  });

/** One entry for each function, of the one that was replaced and of the one that was taken. */
function together(facts: readonly CodeFacts[]): readonly CodeFacts[] {
  const bySymbol = new Map<number, CodeFacts>();
  for (const each of facts) {
    const before = bySymbol.get(each.symbol);
    if (before === undefined) bySymbol.set(each.symbol, each);
    else
      bySymbol.set(each.symbol, {
        ...each,
        indirectCalls: [...before.indirectCalls, ...each.indirectCalls],
        addressUses: [...before.addressUses, ...each.addressUses],
      });
  }
  return bySymbol.size === facts.length ? facts : [...bySymbol.values()];
}

/** Whether a symbol of an input is what its name stands for. */
function chosenIn({ merged, mergedOf }: Resolution): (object: number, index: number) => boolean {
  return (object, index) => {
    const { chosen } = merged[mergedOf[object]![index]!]!;
    return chosen.object === object && chosen.index === index;
  };
}

/** The kernels of the image in its order; `symbol`: among the merged symbols. */
export function chosenKernels({
  inputs,
  resolution,
}: Pick<LaidOut, "inputs" | "resolution">): readonly { readonly kernel: KernelInfo; readonly symbol: number }[] {
  const isChosen = chosenIn(resolution);
  return inputs.flatMap(({ kernels }, object) =>
    kernels
      .filter(({ symbol }) => isChosen(object, symbol))
      .map((kernel) => ({ kernel, symbol: resolution.mergedOf[object]![kernel.symbol]! })),
  );
}

/** The image's number of each merged symbol, -1 for those left out. */
export function numberSymbols({ inputs, resolution, texts, shared }: LaidOut): Int32Array {
  const referred = new Set<number>();
  forEachReference(inputs, resolution, texts, (symbol) => referred.add(symbol));
  let count = 0;
  return Int32Array.from(resolution.merged, (each, i) => {
    const { symbol } = each.chosen;
    const isKept = isShared(each)
      ? isDynamicShared(symbol) || shared.offsets.has(i)
      : symbol.kind === "reference" ||
        symbol.placement.kind !== "undefined" ||
        referred.has(i) ||
        // Code may reach a bank by its number; a launch fills it by this name.
        isFromDriver(symbol);
    return isKept ? count++ : -1;
  });
}

/** What a name stands for, as a symbol of the output; `moduleBase` is `firstModules` of the inputs. */
export function mergedSymbol(each: Merged, moduleBase: readonly number[], placement: Placement): ObjectSymbol {
  const { align } = each;
  const { symbol } = each.chosen;
  // The first .common one, not the largest: its place among the others is theirs (../layout/layout.ts), whatever -r has joined.
  const from = claimOf(symbol) === "common" ? firstCommon(each) : each.chosen;
  const origin = { ...from.symbol.origin, module: moduleBase[from.object]! + from.symbol.origin.module };
  if (symbol.kind !== "variable" || symbol.layout.align === align) return { ...symbol, origin, placement };
  return { ...symbol, origin, placement, layout: { ...symbol.layout, align } };
}

/** The debug sections of all modules, with references as they were in each. */
export function debugOf(inputs: Inputs): Pick<LinkedImage, "debugSections"> {
  const moduleBase = firstModules(inputs);
  const debugSections = inputs.flatMap(({ debugSections: own = [] }, object) =>
    own.map((section) => ({ ...section, module: moduleBase[object]! + section.module })),
  );
  return debugSections.length === 0 ? {} : { debugSections };
}

/** For each input, the index of its first module among all. */
export function firstModules(inputs: Inputs): readonly number[] {
  let next = 0;
  return inputs.map(({ modules }) => (next += modules.length) - modules.length);
}

function withShared(kernel: KernelInfo, symbol: number, merged: number, { kernels }: SharedLayout): KernelInfo {
  const shared = kernels.get(merged);
  return { ...kernel, symbol, sharedBytes: shared?.size ?? 0, dynamicSharedOffset: shared?.dynamicOffset ?? 0 };
}
