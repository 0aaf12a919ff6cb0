// Pass: the inputs without what is dead, for --gc-sections. What is left of each object is what the assembler would have
// made of its module without the dead definitions: the same placement over fewer variables, so that every later pass goes
// on as if they had never been there, and taking the dead code out by hand gives the same bytes. A definition that lost
// becomes a declaration where live code of its module refers to the name, and goes where nothing does.
// Rejected: leaving the dead out while sections are joined, as linkers of native objects do; their holes would stay.

import { renumbered } from "../../object/attributes/code-facts.js";
import type { ModuleOrigin, ObjectSymbol, Placement, Relocation, RelocObject, Section } from "../../object/object.js";
import { isLocal, type Contribution, type Inputs } from "../inputs.js";
import { firstFrom, type Liveness } from "./live.js";
import { namedSlots } from "../slots.js";
import { placeLeft, type LeftVariable, type Moved } from "./place-left.js";
import { choose, claimOf, firstCommon, type Merged, type Resolution } from "../names/resolve.js";

/** What remains of the inputs, and what their names mean; objects of which nothing remains are gone. */
export interface Pruned {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
}

export function prune(inputs: Inputs, resolution: Resolution, liveness: Liveness): Pruned {
  const all = inputs.map((input, object) => {
    const beside = besideCommons(object, input, resolution);
    const whole = withWholeCommons(object, input, resolution);
    return pruneObject(whole, fateOf(object, input, resolution, liveness, beside), (index) => {
      const referrer = liveness.referrer[object]![index]!;
      return referrer === -1 ? beside.get(index)! : referrer;
    });
  });
  const kept = all.flatMap(({ object, indices }, from) =>
    object.symbols.length === 0 ? [] : [{ object, indices, from }],
  );
  return { inputs: kept.map(({ object }) => object), resolution: renumber(kept, resolution) };
}

/** What becomes of a symbol: its definition stays, or a declaration of what is defined or of what is not, or nothing. */
type Fate = "defined" | "declared" | "open" | "gone";

/** The first `.common` variable of a name stands for all, as it does where -r has joined them: the others' modules may be gone. */
function withWholeCommons(object: number, input: RelocObject, { merged, mergedOf }: Resolution): RelocObject {
  if (!input.symbols.some((symbol) => claimOf(symbol) === "common")) return input;
  const symbols = input.symbols.map((symbol, index) => {
    const of = merged[mergedOf[object]![index]!]!;
    return isFirstCommon(of, object, index) ? { ...of.chosen.symbol, origin: symbol.origin } : symbol;
  });
  return { ...input, symbols };
}

function isFirstCommon(of: Merged, object: number, index: number): boolean {
  if (claimOf(of.chosen.symbol) !== "common") return false;
  const first = firstCommon(of);
  return first.object === object && first.index === index;
}

/** Declarations that -r has left in front of what is .common for now, and that: a later link holds them against its definitions. */
function besideCommons(
  object: number,
  { modules, symbols }: RelocObject,
  { mergedOf }: Resolution,
): ReadonlyMap<number, number> {
  const beside = new Map<number, number>();
  if (modules.length === 1) return beside;
  const own = mergedOf[object]!;
  const commons = new Map(
    symbols.flatMap((symbol, i) => (claimOf(symbol) === "common" ? [[own[i]!, i] as const] : [])),
  );
  symbols.forEach((symbol, i) => {
    const common = claimOf(symbol) === "declared" ? commons.get(own[i]!) : undefined;
    if (common !== undefined) beside.set(i, common);
  });
  return beside;
}

function fateOf(
  object: number,
  { symbols }: RelocObject,
  { merged, mergedOf }: Resolution,
  { live, referrer }: Liveness,
  beside: ReadonlyMap<number, number>,
): readonly Fate[] {
  return symbols.map((symbol, index) => {
    const of = mergedOf[object]![index]!;
    if (live[of] !== 1) return "gone";
    const { chosen } = merged[of]!;
    const isChosen = chosen.object === object && chosen.index === index;
    const isReferred = referrer[object]![index] !== -1;
    // Tentative definitions are one together, of which each module has its own.
    if (claimOf(symbol) === "common" && claimOf(chosen.symbol) === "common")
      return isReferred || isFirstCommon(merged[of]!, object, index) ? "defined" : "gone";
    if (symbol.kind === "reference" && symbol.linkage !== "extern") return "defined";
    if (isChosen && claimOf(symbol) !== "declared") return "defined";
    // What nothing defines keeps the declaration that says most of it, whoever it is that refers to it: -r has kept that one alone.
    if (isChosen) return "open";
    const isAwaited = beside.has(index) && claimOf(chosen.symbol) === "common";
    if (!isAwaited && !isReferred) return "gone";
    return claimOf(chosen.symbol) === "declared" ? "open" : "declared";
  });
}

// ------------------------------------------------------------------------------------------------------------ one object

interface PrunedObject {
  readonly object: RelocObject;
  /** Index in `object` of each symbol, -1 for those that are gone. */
  readonly indices: Int32Array;
}

/** `holderOf`: for whom a declaration stays. */
function pruneObject(input: RelocObject, fates: readonly Fate[], holderOf: (index: number) => number): PrunedObject {
  let count = 0;
  const indices = Int32Array.from(fates, (fate) => (fate === "gone" ? -1 : count++));
  const { sections, placementOf } = pruneSections(input, fates, indices);
  const { modules, numberOf } = pruneModules(input, fates);
  const symbols: ObjectSymbol[] = [];
  input.symbols.forEach((given, i) => {
    if (fates[i] === "gone") return;
    // Of a module that is gone, a declaration counts as that of the one it stays for.
    const isLeft = numberOf[given.origin.module] !== -1;
    const symbol = isLeft ? given : { ...given, origin: input.symbols[holderOf(i)]!.origin };
    const module = numberOf[symbol.origin.module]!;
    if (fates[i] === "declared" && isDefinition(symbol)) symbols.push(asDeclaration(symbol, module));
    else symbols.push(movedTo(symbol, placementOf(i), module));
  });
  const isKept = (symbol: number): boolean => fates[symbol] === "defined";
  const ownerOf = (symbol: number): number => {
    // The code may be there as an alias's alone.
    const owner = placementOf(symbol);
    const role = owner.kind === "section" ? sections[owner.section]?.role : undefined;
    return role?.kind === "text" ? role.symbol : -1;
  };
  const calls = input.calls.flatMap(({ caller, callee }) => {
    const owner = ownerOf(caller);
    return owner === -1 ? [] : [{ caller: owner, callee: indices[callee]! }];
  });
  const taken = new Set(input.addressTaken.map((symbol) => indices[symbol]!).filter((symbol) => symbol !== -1));
  const object: RelocObject = {
    ...input,
    version: modules.reduce((latest, { version }) => Math.max(latest, version), 0),
    modules,
    debugSections: (input.debugSections ?? []).flatMap((section) => {
      const module = numberOf[section.module]!;
      return module === -1 ? [] : [{ ...section, module }];
    }),
    sections,
    symbols,
    kernels: input.kernels
      .filter(({ symbol }) => isKept(symbol))
      .map((kernel) => ({ ...kernel, symbol: indices[kernel.symbol]! })),
    calls,
    codeFacts: renumbered(input.codeFacts, (symbol) => indices[symbol]!, ownerOf),
    addressTaken: taken.size === 0 ? [] : stillTaken(sections, taken, calls),
  };
  return { object, indices };
}

const UNDEFINED: Placement = { kind: "undefined" };

/** The symbol at its new place; itself where that is the old one, because most are. */
function movedTo(symbol: ObjectSymbol, placement: Placement, module: number): ObjectSymbol {
  const { origin } = symbol;
  if (placement === symbol.placement && module === origin.module) return symbol;
  return { ...symbol, placement, origin: module === origin.module ? origin : { ...origin, module } };
}

function asDeclaration(symbol: ObjectSymbol, module: number): ObjectSymbol {
  const declared = { ...movedTo(symbol, UNDEFINED, module), linkage: "extern" } as const;
  return declared.kind === "variable" ? { ...declared, initialised: false } : declared;
}

const isDefinition = (symbol: ObjectSymbol): boolean => claimOf(symbol) !== "declared";

/** The modules that something is left of, and their new numbers: -r names any module's declaration of what others refer to. */
function pruneModules(input: RelocObject, fates: readonly Fate[]) {
  const leaves = (fate: Fate | undefined): boolean => fate === "defined" || fate === "open";
  const used = new Set(input.symbols.flatMap(({ origin }, i) => (leaves(fates[i]) ? [origin.module] : [])));
  const modules: ModuleOrigin[] = [];
  const numberOf = input.modules.map((module, i) => (used.has(i) ? modules.push(module) - 1 : -1));
  return { modules, numberOf };
}

/** The functions whose address the sections that are left take, ascending. */
function stillTaken(sections: readonly Section[], before: ReadonlySet<number>, calls: RelocObject["calls"]) {
  const called = new Map<number, Set<number>>();
  for (const { caller, callee } of calls) called.set(caller, (called.get(caller) ?? new Set()).add(callee));
  const taken = new Set<number>();
  for (const { role, relocations, data } of sections) {
    const callees = role.kind === "text" ? called.get(role.symbol) : undefined;
    const here = relocations.filter(({ symbol }) => before.has(symbol) && !taken.has(symbol));
    for (const { symbol } of here) if (callees?.has(symbol) !== true) taken.add(symbol);
    // Code that calls a function may take its address as well; only the code itself tells.
    const open = here.filter(({ symbol }) => !taken.has(symbol));
    if (open.length === 0) continue;
    const named = namedSlots(data ?? new Uint8Array());
    for (const { symbol, offset } of open) if (named?.has(offset) !== false) taken.add(symbol);
  }
  return [...taken].sort((a, b) => a - b);
}

// -------------------------------------------------------------------------------------------------------------- sections

function pruneSections(input: RelocObject, fates: readonly Fate[], indices: Int32Array) {
  const members = input.sections.map((): number[] => []);
  const before = new Int32Array(input.sections.length);
  input.symbols.forEach(({ placement }, i) => {
    if (placement.kind !== "section") return;
    before[placement.section]!++;
    if (fates[i] === "defined") members[placement.section]!.push(i);
  });
  const sections: Section[] = [];
  const numberOf = new Int32Array(input.sections.length).fill(-1);
  const offsets = new Map<number, number>();
  input.sections.forEach((section, i) => {
    const own = members[i]!;
    if (own.length === 0) return;
    numberOf[i] = sections.length;
    // What -r has joined may have bytes of symbols that it left out.
    const isWhole = own.length === before[i] && input.modules.length === 1;
    const smaller = section.role.kind === "text" || isWhole ? section : replace(section, input, own, offsets);
    sections.push({ ...smaller, role: roleOf(section, own, fates, indices), relocations: remap(smaller, indices) });
  });
  return {
    sections,
    placementOf(symbol: number): Placement {
      const { placement } = input.symbols[symbol]!;
      if (placement.kind !== "section") return placement;
      const section = numberOf[placement.section]!;
      const offset = offsets.get(symbol) ?? placement.offset;
      return section === placement.section && offset === placement.offset
        ? placement
        : { kind: "section", section, offset };
    },
  };
}

/** Relocations of bytes that belong to no symbol may refer to what is gone, and go too. */
function remap({ relocations }: Section, indices: Int32Array): readonly Relocation[] {
  const kept: Relocation[] = [];
  for (const { offset, type, symbol, addend, width } of relocations) {
    const index = indices[symbol]!;
    if (index !== -1) kept.push({ offset, type, symbol: index, addend, width });
  }
  return kept;
}

/** Code belongs to its function, or to what is left of its aliases; shared memory of a dead kernel to the module. */
function roleOf(
  { role }: Section,
  own: readonly number[],
  fates: readonly Fate[],
  indices: Int32Array,
): Section["role"] {
  if (role.kind === "text")
    return { kind: "text", symbol: indices[own.includes(role.symbol) ? role.symbol : own[0]!]! };
  if (role.kind === "shared")
    return fates[role.symbol] === "defined"
      ? { kind: "shared", symbol: indices[role.symbol]! }
      : { kind: "shared-module" };
  return role;
}

/** A section of the variables `own` alone. Their offsets go into `offsets`, by symbol; shared variables of an object have none. */
function replace(
  section: Section,
  { symbols, modules }: RelocObject,
  own: readonly number[],
  offsets: Map<number, number>,
): Section {
  const isShared = section.role.kind === "shared" || section.role.kind === "shared-module";
  const left = own.flatMap((index): readonly Member[] => {
    const symbol = symbols[index]!;
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section") return [];
    const { layout, placement, origin } = symbol;
    const { align, size } = layout;
    const { module, line } = origin;
    return [{ index, module, isLocal: isLocal(symbol), line, align, size, from: placement.offset }];
  });
  const { moved, size, align } = placeLeft(left, modules.length > 1);
  if (isShared) return { ...section, align, size };
  for (const { index, to } of moved) offsets.set(index, to);
  return { ...section, align, size, ...movedContents(section, moved, size) };
}

interface Member extends LeftVariable {
  readonly index: number;
}

/** The bytes and relocations of these variables, in the order in which the relocations stood. */
function movedContents({ data, relocations }: Section, moved: readonly Moved<Member>[], size: number) {
  const before = moved.toSorted((a, b) => a.from - b.from);
  const starts = before.map(({ from }) => from);
  const bytes = data === undefined ? undefined : new Uint8Array(size);
  for (const { from, to, size: own } of before) bytes?.set(data!.subarray(from, from + own), to);
  const kept = relocations.flatMap((relocation) => {
    const holder = before[firstFrom(starts, (start) => start > relocation.offset) - 1];
    if (holder === undefined || relocation.offset >= holder.from + holder.size) return [];
    return [{ ...relocation, offset: relocation.offset - holder.from + holder.to }];
  });
  return { relocations: kept, ...(bytes === undefined ? {} : { data: bytes }) };
}

// ----------------------------------------------------------------------------------------------------------------- names

interface Kept extends PrunedObject {
  /** Index of the object among the inputs before. */
  readonly from: number;
}

/** What each name means, with the numbers of the objects and symbols that remain; in order of first appearance. */
function renumber(kept: readonly Kept[], { merged, mergedOf }: Resolution): Resolution {
  const groups = new Map<number, Contribution[]>();
  const numbers = new Map<number, number>();
  const of = kept.map(({ object, indices, from }, i) => {
    const own = new Int32Array(object.symbols.length);
    indices.forEach((index, before) => {
      if (index === -1) return;
      const old = mergedOf[from]![before]!;
      const contribution = { object: i, index, symbol: object.symbols[index]! };
      const group = groups.get(old);
      if (group !== undefined) group.push(contribution);
      else {
        numbers.set(old, groups.size);
        groups.set(old, [contribution]);
      }
      own[index] = numbers.get(old)!;
    });
    return own;
  });
  const place = new Map(kept.map(({ from }, i) => [from, i]));
  const regrouped = [...groups].map(([old, all]): Merged => {
    // Dead declarations have their say in it, because what -r has joined no longer tells whose it was.
    const { name, chosen, align } = merged[old]!;
    const object = place.get(chosen.object);
    const index = object === undefined ? -1 : kept[object]!.indices[chosen.index]!;
    const same = all.find((each) => each.object === object && each.index === index);
    const still = same ?? choose(all);
    return { name, chosen: still, all, align };
  });
  return { merged: regrouped, mergedOf: of };
}
