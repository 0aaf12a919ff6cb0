// `link -r`: several objects as one relocatable object, such that linking it is linking them. Names are resolved among the
// inputs; what is still open (externs, commons, weak definitions) stays so, for a later definition to win. Each module's
// sections stay apart and whole, dead bytes included, because where they stand in an image depends on each one's alignment
// (layout.ts); so any grouping of the inputs leads to the same image, byte for byte. docs/linking.md, "Relocatable output".
// Rejected: joining sections of one name, as ld -r does: padding would depend on the grouping.

import type { DiagnosticSink } from "../diag/sink.js";
import { forTarget, inSymbolOrder, renumbered } from "../object/code-facts.js";
import type { ObjectFile, ObjectSymbol, Placement, RelocObject, Section } from "../object/object.js";
import { withDebugResolved } from "../object/debug-layout.js";
import { place, type Placed } from "../object/place.js";
import { stripDebug } from "../object/strip.js";
import { deadRanges, outside } from "./dead.js";
import { debugOf, firstModules, mergedSymbol } from "./image.js";
import type { Inputs } from "./inputs.js";
import { sectionsInUse } from "./layout.js";
import type { LinkOptions } from "./options.js";
import type { Resolution } from "./resolve.js";
import { settleNames, settleReferences } from "./settle.js";
import { splitShared } from "./shared-order.js";
import { chooseObjectTarget, compiledModules, type Goal } from "./targets.js";
import type { KeptTexts } from "./texts.js";

/**
 * The object, or undefined when the sink has errors. Of the options it heeds `arch`, `leader`, `name`, `detectOdrViolations`, `onResolved`,
 * `onPass`, `wrap`, `visibility`, `stripDebug` and those of compatible.ts and collect.ts.
 */
export function linkRelocatable(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): RelocObject | undefined {
  const errorsBefore = sink.errorCount;
  const done = options.onPass ?? (() => {});
  const named = settleNames(objects, chooseObjectTarget, { ...options, define: [] }, sink);
  if (named === undefined || sink.errorCount > errorsBefore) return undefined;
  const { inputs, resolution, texts } = settleReferences(named, true, options, sink);
  if (sink.errorCount > errorsBefore) return undefined;
  const object = joinObjects(inputs, resolution, texts, named.goal, options.name ?? "a.o");
  done("object");
  return options.stripDebug === true ? stripDebug(object) : object;
}

/** One object of all, with a symbol for each merged symbol, in their order. */
export function joinObjects(
  inputs: Inputs,
  resolution: Resolution,
  texts: KeptTexts,
  { target, version }: Goal,
  name: string,
): RelocObject {
  const { merged, mergedOf } = resolution;
  const { sections, numbers, movedTo } = joinSections(inputs, resolution, texts);
  const moduleBase = firstModules(inputs);
  const isChosen = (object: number, index: number): boolean => {
    const { chosen } = merged[mergedOf[object]![index]!]!;
    return chosen.object === object && chosen.index === index;
  };
  const taken = new Set(inputs.flatMap(({ addressTaken }, object) => addressTaken.map((f) => mergedOf[object]![f]!)));
  return withDebugResolved({
    type: "relocatable",
    name,
    target,
    version,
    modules: inputs.flatMap(compiledModules),
    ...debugOf(inputs),
    sections,
    symbols: merged.map((each, i) => {
      const { object, symbol } = each.chosen;
      const { placement } = symbol;
      const there: Placement =
        placement.kind === "section"
          ? { ...placement, section: movedTo.get(i) ?? numbers[object]![placement.section]! }
          : placement;
      return mergedSymbol(each, moduleBase, there);
    }),
    kernels: inputs.flatMap(({ kernels }, object) =>
      kernels
        .filter(({ symbol }) => isChosen(object, symbol))
        .map((kernel) => ({ ...kernel, symbol: mergedOf[object]![kernel.symbol]! })),
    ),
    calls: inputs.flatMap(({ calls }, object) =>
      calls
        .filter(({ caller }) => isChosen(object, caller))
        .map(({ caller, callee }) => ({ caller: mergedOf[object]![caller]!, callee: mergedOf[object]![callee]! })),
    ),
    addressTaken: [...taken].sort((a, b) => a - b),
    codeFacts: inSymbolOrder(
      inputs.flatMap(({ codeFacts }, object) =>
        renumbered(
          forTarget(codeFacts, target.sm).filter(({ symbol }) => isChosen(object, symbol)),
          (symbol) => mergedOf[object]![symbol]!,
        ),
      ),
    ),
  });
}

/** All sections but those that no image can need: code, and uninitialised globals, of weak definitions that lost. */
function joinSections(inputs: Inputs, { merged, mergedOf }: Resolution, texts: KeptTexts) {
  const used = sectionsInUse(inputs, merged);
  const dead = deadRanges(inputs, merged);
  const owners = inputs.map(() => new Map<number, number>());
  for (const { object, section, symbol } of texts) owners[object]!.set(section, symbol);
  const sections: Section[] = [];
  /** Of merged symbols whose section is not a whole one of their object. */
  const movedTo = new Map<number, number>();
  const numbers = inputs.map((input, object) =>
    input.sections.map((section, index) => {
      const { role } = section;
      const owner = owners[object]!.get(index);
      const isDropped =
        role.kind === "text" ? owner === undefined : role.kind === "global" && !used[object]!.has(index);
      if (isDropped) return -1;
      const numbering = mergedOf[object]!;
      const kept = outside(section.relocations, dead[object]!.get(index));
      const relocations = kept.map((r) => ({ ...r, symbol: numbering[r.symbol]! }));
      if (role.kind === "shared-module") {
        const numberOf = (symbol: number): number => {
          const { chosen } = merged[numbering[symbol]!]!;
          return chosen.object === object && chosen.index === symbol ? numbering[symbol]! : -1;
        };
        for (const members of splitShared(input, index, numberOf)) {
          const { align, size } = place(members.flatMap((member) => layoutOf(input.symbols[member]!)));
          for (const member of members) movedTo.set(numbering[member]!, sections.length);
          sections.push({ ...section, align, size, relocations });
        }
        return -1;
      }
      if (role.kind === "text") sections.push({ ...section, role: { ...role, symbol: owner! }, relocations });
      else if (role.kind === "shared")
        sections.push({ ...section, role: { ...role, symbol: numbering[role.symbol]! }, relocations });
      else sections.push({ ...section, relocations });
      return sections.length - 1;
    }),
  );
  return { sections, numbers, movedTo };
}

const layoutOf = (symbol: ObjectSymbol): readonly Placed[] => (symbol.kind === "variable" ? [symbol.layout] : []);
