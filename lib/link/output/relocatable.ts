// `link -r`: several objects as one relocatable object, such that linking it is linking them. Names are resolved among the
// inputs; what is still open (externs, commons, weak definitions) stays so, for a later definition to win. Each module's
// sections stay apart and whole, dead bytes included, because where they stand in an image depends on each one's alignment
// (../layout/layout.ts); so any grouping of the inputs leads to the same image, byte for byte. docs/linking.md, "Relocatable output".
// A weak definition that was replaced and still takes shared memory (../shared/shared.ts) stays in front of the one that replaced it, and
// an `.extern` declaration in front of the `.common` variable that it means for now: its size is held against later definitions.
// Rejected: joining sections of one name, as ld -r does: padding would depend on the grouping.

import type { DiagnosticSink } from "../../diag/sink.js";
import { forTarget, inSymbolOrder, renumbered } from "../../object/attributes/code-facts.js";
import type { ObjectFile, ObjectSymbol, Placement, RelocObject, Section } from "../../object/object.js";
import { withDebugResolved } from "../../object/dwarf/debug-layout.js";
import { place, type Placed } from "../../object/place.js";
import { stripDebug } from "../../object/strip.js";
import { deadRanges, outside } from "../layout/dead.js";
import { debugOf, firstModules, mergedSymbol } from "./image.js";
import { isLocal, type Contribution, type Inputs } from "../inputs.js";
import { joinedOf } from "./joined.js";
import { sectionsInUse } from "../layout/layout.js";
import type { LinkOptions } from "../options.js";
import { alignOf, choose, claimOf, type Merged, type Resolution } from "../names/resolve.js";
import { settleNames, settleReferences } from "../settle.js";
import { splitShared } from "../shared/shared-order.js";
import { chooseObjectTarget, compiledModules, type Goal } from "../targets.js";
import type { KeptTexts } from "../layout/texts.js";

/**
 * The object, or undefined when the sink has errors. Of the options it heeds `arch`, `leader`, `name`, `detectOdrViolations`, `onResolved`,
 * `onPass`, `wrap`, `visibility`, `stripDebug` and those of ../names/compatible.ts and ../live/collect.ts.
 */
export function linkRelocatable(
  objects: readonly ObjectFile[],
  options: LinkOptions,
  sink: DiagnosticSink,
): RelocObject | undefined {
  const errorsBefore = sink.errorCount;
  const done = options.onPass ?? (() => {});
  const named = settleNames(objects, chooseObjectTarget, { ...options, define: [], mayGrow: true }, sink);
  if (named === undefined) return undefined;
  const { inputs, resolution, texts } = settleReferences(named, true, options, sink);
  if (sink.errorCount > errorsBefore) return undefined;
  const whole = joinObjects(inputs, resolution, texts, named.goal, { ...options, name: options.name ?? "a.o" });
  const object = options.stripDebug === true ? stripDebug(whole) : whole;
  options.onJoined?.(joinedOf(inputs, resolution, object, "object"));
  done("object");
  return object;
}

/** One object of all, with the merged symbols in their order, each behind what has to stay beside it. */
export function joinObjects(
  inputs: Inputs,
  resolution: Resolution,
  texts: KeptTexts,
  { target, version }: Goal,
  { name, gcSections = false }: { readonly name: string } & Pick<LinkOptions, "gcSections">,
  beside: FindBeside = standsBeside,
): RelocObject {
  const { merged } = resolution;
  const others = merged.map(beside);
  const numbering = numberSymbols(resolution, others);
  const { numberOf, definitionOf } = numbering;
  const owners = ownersOf(inputs, merged, others, texts);
  const { sections, placementOf } = joinSections(inputs, merged, owners, numbering, gcSections);
  /** Whose code a function's is, which may be there under a second name alone; -1 where it is not. */
  const codeOf = (object: number, index: number): number => {
    const { placement } = inputs[object]!.symbols[index]!;
    const owner = placement.kind === "section" ? owners[object]!.get(placement.section) : undefined;
    return owner === undefined ? -1 : definitionOf(object, owner);
  };
  const moduleBase = firstModules(inputs);
  const taken = new Set(inputs.flatMap(({ addressTaken }, object) => addressTaken.map((f) => numberOf(object, f))));
  return withDebugResolved({
    type: "relocatable",
    name,
    target,
    version,
    modules: inputs.flatMap(compiledModules),
    ...debugOf(inputs),
    sections,
    symbols: merged.flatMap((each, i) => {
      const symbol = mergedSymbol(each, moduleBase, placementOf(each.chosen));
      const other = others[i];
      if (other === undefined) return [symbol];
      const before = { ...each, chosen: other.symbol, align: alignOf(other.symbol.symbol, other.of) };
      return [mergedSymbol(before, moduleBase, placementOf(other.symbol)), symbol];
    }),
    kernels: inputs.flatMap(({ kernels }, object) =>
      kernels
        .filter(({ symbol }) => definitionOf(object, symbol) !== -1)
        .map((kernel) => ({ ...kernel, symbol: definitionOf(object, kernel.symbol) })),
    ),
    calls: inputs.flatMap(({ calls }, object) =>
      calls
        .map(({ caller, callee }) => ({ caller: codeOf(object, caller), callee: numberOf(object, callee) }))
        .filter(({ caller }) => caller !== -1),
    ),
    addressTaken: [...taken].sort((a, b) => a - b),
    codeFacts: inSymbolOrder(
      inputs.flatMap(({ codeFacts }, object) =>
        renumbered(
          forTarget(codeFacts, target.sm),
          (symbol) => numberOf(object, symbol),
          (symbol) => codeOf(object, symbol),
        ),
      ),
    ),
  });
}

/** What stands in front of the symbol that a name means, under the same name. */
interface Beside {
  readonly symbol: Contribution;
  /** Those that it stands for. */
  readonly of: readonly Contribution[];
}

type FindBeside = (each: Merged) => Beside | undefined;

/** What a later link has to know of a name besides what it means here. */
export function standsBeside({ chosen, all, replaced }: Merged): Beside | undefined {
  // What --localize has made static, no later module replaces or refers to.
  if (isLocal(chosen.symbol)) return undefined;
  if (claimOf(chosen.symbol) === "common") {
    const of = all.filter(({ symbol }) => claimOf(symbol) === "declared");
    return of.length === 0 ? undefined : { symbol: choose(of), of };
  }
  if (replaced === undefined) return undefined;
  const { symbol } = replaced;
  const isCounted = symbol.kind === "function" || (symbol.kind === "variable" && symbol.space === "shared");
  return isCounted ? { symbol: replaced, of: [replaced] } : undefined;
}

interface Numbering {
  /** The object's number of what a symbol of an input stands for. */
  numberOf(object: number, index: number): number;
  /** The object's number of a symbol that an input defines, -1 where another definition was taken. */
  definitionOf(object: number, index: number): number;
}

function numberSymbols({ merged, mergedOf }: Resolution, others: readonly (Beside | undefined)[]): Numbering {
  let count = 0;
  const numbers = Int32Array.from(others, (other) => (count += other === undefined ? 1 : 2) - 1);
  return {
    numberOf: (object, index) => numbers[mergedOf[object]![index]!]!,
    definitionOf(object, index) {
      const at = mergedOf[object]![index]!;
      const isHere = (of: Contribution | undefined): boolean => of?.object === object && of.index === index;
      if (isHere(merged[at]!.chosen)) return numbers[at]!;
      return isHere(others[at]?.symbol) ? numbers[at]! - 1 : -1;
    },
  };
}

/** All sections but those that no image can need: code, and uninitialised globals, of weak definitions that lost. */
function joinSections(
  inputs: Inputs,
  merged: readonly Merged[],
  owners: Owners,
  { numberOf, definitionOf }: Numbering,
  isPruned: boolean,
) {
  const used = sectionsInUse(inputs, merged);
  const dead = deadRanges(inputs, merged);
  /** Of a kernel that lost the one that was taken. */
  const kernelOf = (object: number, index: number): number => {
    const own = definitionOf(object, index);
    return own === -1 ? numberOf(object, index) : own;
  };
  const sections: Section[] = [];
  /** Of definitions whose section is not a whole one of their object. */
  const movedTo = new Map<number, number>();
  const numbers = inputs.map((input, object) => {
    const shared = input.sections.some(({ role }) => isShared(role))
      ? splitShared(input, (member) => definitionOf(object, member), isPruned)
      : undefined;
    return input.sections.map((section, index) => {
      const { role } = section;
      const owner = owners[object]!.get(index);
      const isDropped =
        role.kind === "text" ? owner === undefined : role.kind === "global" && !used[object]!.has(index);
      if (isDropped) return -1;
      const kept = outside(section.relocations, dead[object]!.get(index));
      const relocations = kept.map((r) => ({ ...r, symbol: numberOf(object, r.symbol) }));
      if (isShared(role)) {
        const here = role.kind === "shared" ? { ...role, symbol: kernelOf(object, role.symbol) } : role;
        for (const members of shared!.get(index) ?? []) {
          const { align, size } = place(members.flatMap((member) => layoutOf(input.symbols[member]!)));
          for (const member of members) movedTo.set(definitionOf(object, member), sections.length);
          sections.push({ ...section, role: here, align, size, relocations });
        }
        return -1;
      }
      if (role.kind === "text")
        sections.push({ ...section, role: { ...role, symbol: definitionOf(object, owner!) }, relocations });
      else sections.push({ ...section, relocations });
      return sections.length - 1;
    });
  });
  return {
    sections,
    placementOf({ object, index, symbol: { placement } }: Contribution): Placement {
      if (placement.kind !== "section") return placement;
      const section = movedTo.get(definitionOf(object, index)) ?? numbers[object]![placement.section]!;
      return { ...placement, section };
    },
  };
}

/** For each input, by section of code that stays: the function of that input whose code it is. */
type Owners = readonly ReadonlyMap<number, number>[];

function ownersOf(
  inputs: Inputs,
  merged: readonly Merged[],
  others: readonly (Beside | undefined)[],
  texts: KeptTexts,
): Owners {
  const owners = inputs.map(() => new Map<number, number>());
  for (const { object, section, symbol } of texts) owners[object]!.set(section, merged[symbol]!.chosen.index);
  for (const other of others) {
    const symbol = other?.symbol.symbol;
    if (symbol?.placement.kind !== "section" || symbol.kind !== "function") continue;
    const { object, index } = other!.symbol;
    const { section } = symbol.placement;
    const { role } = inputs[object]!.sections[section]!;
    const isOwn = role.kind === "text" && role.symbol === index;
    if (isOwn || !owners[object]!.has(section)) owners[object]!.set(section, index);
  }
  return owners;
}

const isShared = ({ kind }: Section["role"]): boolean => kind === "shared-module" || kind === "shared";

const layoutOf = (symbol: ObjectSymbol): readonly Placed[] => (symbol.kind === "variable" ? [symbol.layout] : []);
