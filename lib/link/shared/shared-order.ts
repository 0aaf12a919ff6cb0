// The order in which nvlink meets the shared variables of the modules. Offsets of variables of the same size depend on it, and on
// their number (shared.ts), so it lists all variables that NVIDIA's objects contain, used or not. ptxas 13.0 writes, for a
// module:
//   1. weak variables;
//   2. of the first function, unless it is static, its own variables that its code uses;
//   3. static variables;
//   4. of the first function the others, then those of each further function, first the ones that its code uses;
//   5. the remaining variables, dynamic memory last.
// Each by declaration. The order of functions is function-order.ts's. A kernel's own variables are separate: those that its code
// uses by first use, then the rest (docs/linking.md, "Shared memory"). All observed: test/oracle/link.ts.
// An object of -r keeps each module's original order, in its sections (splitShared). After --gc-sections, the order is the one
// that the assembler would have chosen without the dead variables.

import { type ObjectSymbol, isLocal } from "../../object/object.js";
import { functionOrder, type OrderedObject, type OrderedVariable } from "./function-order.js";
import { modulePartsOf } from "./module-parts.js";

/**
 * Indices of shared variables in an object, module by module, without those of kernels' own bodies. `isPruned`: after
 * --gc-sections.
 */
export function sharedOrder(object: OrderedObject, isPruned: boolean): readonly number[] {
  if (!isJoined(object)) return listedBy(object, rankInModule);
  if (!isPruned) return listedBy(object, () => rankInSections);
  const parts = [...modulePartsOf(object)].sort(([a], [b]) => a - b);
  return parts.flatMap(([, { object, indices, own }]) =>
    listedBy(object, rankInModule).flatMap((index) => (index < own ? [indices[index]!] : [])),
  );
}

type Rank = (symbol: OrderedVariable, index: number) => number;

function listedBy(object: OrderedObject, rankBy: (object: OrderedObject) => Rank): readonly number[] {
  const listed = sharedVariables(object).filter(({ symbol }) => !isApart(object, symbol));
  if (listed.length === 0) return [];
  const rankOf = rankBy(object);
  return listed
    .map(({ symbol, index }) => ({ index, module: symbol.origin.module, rank: rankOf(symbol, index) }))
    .sort((a, b) => a.module - b.module || a.rank - b.rank || a.index - b.index)
    .map(({ index }) => index);
}

/** For each kernel of the object, by index: its own variables. */
export function bodyOrder(object: OrderedObject): ReadonlyMap<number, readonly number[]> {
  const bodies = new Map<number, number[]>();
  for (const { symbol, index } of sharedVariables(object)) {
    const { placement } = symbol;
    const role = placement.kind === "section" ? object.sections[placement.section]!.role : undefined;
    if (role?.kind !== "shared") continue;
    const own = bodies.get(role.symbol);
    if (own === undefined) bodies.set(role.symbol, [index]);
    else own.push(index);
  }
  if (isJoined(object)) {
    const rankOf = (index: number): number => rankInSections(object.symbols[index]!);
    for (const own of bodies.values()) own.sort((a, b) => rankOf(a) - rankOf(b) || a - b);
    return bodies;
  }
  for (const { role, relocations } of bodies.size === 0 ? [] : object.sections) {
    const own = role.kind === "text" ? bodies.get(role.symbol) : undefined;
    if (own === undefined || own.length === 1 || role.kind !== "text") continue;
    const isOwn = new Set(own);
    const used = relocations.map(({ symbol }) => symbol).filter((symbol) => isOwn.has(symbol));
    bodies.set(role.symbol, [...new Set([...used, ...own])]);
  }
  return bodies;
}

const isJoined = ({ modules }: OrderedObject): boolean => modules.length > 1;

/** Indices of variables of one section, in order. */
type Part = readonly number[];

/**
 * Splits the object's shared memory into the parts that -r must keep, so that `sharedOrder` and `bodyOrder` of its output give
 * the same orders as here. `numberOf`: the number of a symbol in the output; -1 for none. The key of a list is the section of the
 * object that the parts replace. Parts from an earlier -r are joined first, so that the parts are the same in any grouping.
 */
export function splitShared(
  object: OrderedObject,
  numberOf: (index: number) => number,
  isPruned: boolean,
): ReadonlyMap<number, readonly Part[]> {
  const { symbols } = object;
  const isDefined = (index: number): boolean => symbols[index]!.placement.kind === "section" && numberOf(index) !== -1;
  const moduleOf = (index: number): number => symbols[index]!.origin.module;
  const split = new Map<number, readonly Part[]>();
  // Orders go module by module. A kernel has bodies of several modules if weak definitions of it lost.
  for (const order of [sharedOrder(object, isPruned), ...bodyOrder(object).values()])
    for (const ofModule of runsOf(order.filter(isDefined), (a, b) => moduleOf(a) === moduleOf(b))) {
      const first = Math.min(...ofModule.map((index) => rankInSections(symbols[index]!)));
      split.set(
        first,
        runsOf(ofModule, (a, b) => numberOf(a) < numberOf(b)),
      );
    }
  return split;
}

/** Splits the items into runs of neighbours that belong together. */
function runsOf(items: Part, together: (before: number, item: number) => boolean): readonly Part[] {
  const runs: number[][] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (last !== undefined && together(last.at(-1)!, item)) last.push(item);
    else runs.push([item]);
  }
  return runs;
}

interface Listed {
  readonly symbol: OrderedVariable;
  readonly index: number;
}

function sharedVariables({ symbols }: OrderedObject): readonly Listed[] {
  const listed: Listed[] = [];
  symbols.forEach((symbol, index) => {
    if (symbol.kind === "variable" && symbol.space === "shared") listed.push({ symbol, index });
  });
  return listed;
}

const isApart = ({ sections }: OrderedObject, { placement }: OrderedVariable): boolean =>
  placement.kind === "section" && sections[placement.section]!.role.kind === "shared";

const LAST = Number.MAX_SAFE_INTEGER;

const rankInSections = ({ placement }: Pick<ObjectSymbol, "placement">): number =>
  placement.kind === "section" ? placement.section : LAST;

/** The rank of variables in an object of one module, by the list above; equal ranks are ordered by index. */
function rankInModule(object: OrderedObject): Rank {
  const functions = functionOrder(object);
  const isEarly = functions.length > 0 && !isLocal(object.symbols[functions[0]!]!);
  const places = new Map(functions.map((index, place) => [object.symbols[index]!.name, place]));
  const used = new Set<number>();
  for (const { role, relocations } of object.sections)
    if (role.kind === "text") for (const { symbol } of relocations) used.add(symbol);
  return ({ scope, linkage, placement }, index) => {
    if (scope !== undefined) return scopedRank(places.get(scope) ?? functions.length, used.has(index), isEarly);
    return moduleRank(placement.kind !== "undefined", linkage === "weak", linkage === "static");
  };
}

/**
 * The rank of a function's variable. `place`: of the function; `isUsed`: by code; `isEarly`: whether the first function is not
 * static.
 */
export function scopedRank(place: number, isUsed: boolean, isEarly: boolean): number {
  if (isUsed) return place === 0 && isEarly ? 1 : 3 + 2 * place;
  return 4 + 2 * place;
}

/** The rank of a module's variable. */
export function moduleRank(isDefined: boolean, isWeak: boolean, isStatic: boolean): number {
  if (!isDefined) return LAST;
  return isWeak ? 0 : isStatic ? 2 : LAST - 1;
}
