// Pass: finds the shared variables that each kernel reaches, and places them (../shared/shared.ts). A function reaches the
// variables that its code names and the functions that it calls. A call through a register reaches every function of the same
// prototype whose address is taken anywhere, as in nvlink, because the address may come from memory that another kernel wrote.
// Does nothing if no object has shared memory.

import { listIn } from "../../base/lists.js";
import { formatPrototype } from "../../../formats/cuda/index.js";
import { prototypeSignature } from "../../object/attributes/signature.js";
import { SHARED, type SharedProgram } from "../shared/shared-graph.js";
import { DYNAMIC_ALIGN, placeShared, type Listed, type SharedLayout, type SharedRules } from "../shared/shared.js";
import { reachShared, type SharedUses } from "../shared/shared-reach.js";
import { createSharedOrders } from "./shared-orders.js";
import { undefinedTypes } from "../resolve/commons.js";
import { isDynamic, type MergedRow, type Resolution } from "../resolve/resolve.js";
import { alignOfType, sizeOfType } from "../../object/columns/types.js";
import {
  isEntry,
  isFunction,
  type SectionRow,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";
import { declaredFunction } from "../../object/columns/values.js";

/** Symbols are merged rows. */
export interface SharedMemory extends SharedLayout {
  readonly uses: Pick<SharedUses, "named" | "variablesOf">;
}

const NONE: SharedMemory = {
  systemBytes: 0,
  offsets: new Map(),
  common: [],
  commonSize: 0,
  commonAlign: 1,
  kernels: new Map(),
  dynamicAlign: DYNAMIC_ALIGN,
  dynamicOffsetIn: new Map(),
  dead: new Map(),
  uses: { named: new Set(), variablesOf: () => [] },
};

/** `textSections`: sections of the kept functions, in link order. */
export function layOutShared(
  columns: Columns,
  resolution: Resolution,
  textSections: readonly SectionRow[],
  rules: SharedRules,
): SharedMemory {
  if (columns.featureCounts.shared === 0) return NONE;
  const orders = findOrders(columns, resolution, textSections);
  const { chosen } = resolution;
  const shapesOfOpen = undefinedTypes(columns, resolution, (row) => isSharedVariable(columns, chosen[row]!));
  const definition = (symbol: MergedRow, row: SymbolRow): Listed => ({
    symbol,
    align: alignOfType(columns.types, shapesOfOpen.get(symbol) ?? columns.typeId[row]!),
    size: sizeOfType(columns.types, columns.typeId[row]!),
  });
  const variables = {
    list: () => orders.listed.map((row) => definition(resolution.mergedOf[row]!, row)),
    chosenOf: (symbol: MergedRow) => definition(symbol, chosen[symbol]!),
    isDynamic: (symbol: MergedRow) => isDynamic(columns, chosen[symbol]!),
  };
  const uses = reachShared(programOf(columns, resolution, orders));
  return { ...placeShared(variables, uses, rules), uses };
}

/** The shared variables of all objects. */
interface Orders {
  /** Chosen and replaced definitions of variables outside kernels' bodies, in nvlink's order; undefined variables once. */
  readonly listed: readonly SymbolRow[];
  /** Variables declared in bodies, by kernel. */
  readonly bodies: ReadonlyMap<MergedRow, readonly MergedRow[]>;
  /** Pairs of a function and a variable that its kept code names. */
  readonly named: readonly MergedRow[];
}

function findOrders(
  columns: Columns,
  { chosen, mergedOf, replaced, count }: Resolution,
  textSections: readonly SectionRow[],
): Orders {
  const listed: SymbolRow[] = [];
  const bodies = new Map<MergedRow, MergedRow[]>();
  const named: MergedRow[] = [];
  const isListed = new Uint8Array(count);
  const isKept = new Uint8Array(columns.firstSection.at(-1)!);
  for (let i = 0; i < textSections.length; i++) isKept[textSections[i]!] = 1;
  const ordersOf = createSharedOrders(columns);
  for (let file = 0; file < columns.files.length; file++) {
    const orders = ordersOf(file);
    if (orders === undefined) continue;
    for (const [kernel, own] of orders.bodies) {
      const all = listIn(bodies, mergedOf[kernel]!);
      for (const row of own) all.push(mergedOf[row]!);
    }
    for (const row of orders.listed) {
      const symbol = mergedOf[row]!;
      const isUndefined = columns.sectionOf[chosen[symbol]!]! < 0;
      if (isUndefined && isListed[symbol] === 0) listed.push(chosen[symbol]!);
      else if (!isUndefined && (chosen[symbol] === row || replaced.get(symbol) === row)) listed.push(row);
      isListed[symbol] = 1;
    }
    for (let i = 0; i < orders.named.length; i += 2) {
      const section = orders.named[i]!;
      if (isKept[section] !== 0) named.push(mergedOf[columns.owner[section]!]!, mergedOf[orders.named[i + 1]!]!);
    }
  }
  return { listed, bodies, named };
}

// -------------------------------------------------------------------------------------------------------------- program

function programOf(columns: Columns, resolution: Resolution, { bodies, named }: Orders): SharedProgram<string> {
  const { chosen, mergedOf, count } = resolution;
  const edges: number[] = [];
  const put = (from: MergedRow, to: MergedRow): void => void edges.push(from, to);
  for (const [kernel, own] of bodies) for (const variable of own) put(kernel, variable);
  for (let i = 0; i < named.length; i += 2) put(named[i]!, named[i + 1]!);
  const forEachOf = countedPairs(columns, resolution);
  forEachOf(columns.calls, (caller, callee) => put(caller, mergedOf[callee]!));
  const shared = new Uint8Array(count);
  const kernels: MergedRow[] = [];
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (isSharedVariable(columns, symbol)) shared[row] = isDynamic(columns, symbol) ? SHARED.dynamic : SHARED.static;
    if (!isFunction(columns, symbol) || columns.sectionOf[symbol]! < 0) continue;
    // An alias leads to its function, whose code is kept (layout.ts).
    const owner = mergedOf[ownerOf(columns, symbol)]!;
    if (owner !== row) put(row, owner);
    if (isEntry(columns, symbol)) kernels.push(row);
  }
  const indirect: (readonly [MergedRow, string])[] = [];
  forEachOf(columns.indirectCalls, (caller, text) => indirect.push([caller, stringOf(columns.strings, text)]));
  const prototypeOf = (row: MergedRow): string | undefined => {
    const symbol = chosen[row]!;
    if (isEntry(columns, symbol)) return undefined;
    const { prototype } = declaredFunction(columns.types, columns.typeId[symbol]!, false);
    return formatPrototype(prototypeSignature(prototype));
  };
  const taken = columns.addressTaken.map((function_) => mergedOf[function_]!);
  return {
    count,
    edges: new Int32Array(edges),
    shared,
    kernels,
    bodies,
    addresses: { taken, indirect, prototypeOf },
  };
}

const ownerOf = ({ owner, sectionOf }: Columns, function_: SymbolRow): SymbolRow => owner[sectionOf[function_]!]!;

/**
 * Returns a function that visits pairs of a function and a number for its code: those of kept code, then those of replaced code.
 */
function countedPairs(columns: Columns, { chosen, mergedOf, replaced }: Resolution) {
  const replacedOf = new Map<SymbolRow, MergedRow[]>();
  for (const [row, symbol] of replaced)
    if (isFunction(columns, symbol)) listIn(replacedOf, ownerOf(columns, symbol)).push(row);
  return (pairs: readonly number[], show: (caller: MergedRow, other: number) => void): void => {
    for (let i = 0; i < pairs.length; i += 2) {
      const row = mergedOf[pairs[i]!]!;
      if (chosen[row] === pairs[i] && ownerOf(columns, pairs[i]!) === pairs[i]) show(row, pairs[i + 1]!);
    }
    for (let i = 0; i < (replacedOf.size === 0 ? 0 : pairs.length); i += 2)
      for (const row of replacedOf.get(pairs[i]!) ?? []) show(row, pairs[i + 1]!);
  };
}
