// `.nv.callgraph` and `.nv.prototype` of a file: calls, functions whose address is taken, and prototypes of functions.
// docs/format.md, "Attributes, call graph, prototypes".

import { IS_UNIFIED } from "../../file/declaration-codes.js";
import { formatPrototype } from "../../../../formats/cuda/index.js";
import { listIn } from "../../../base/lists.js";
import { createCalls, undefinedReached, type Addresses } from "../../attributes/reached-properties.js";
import { prototypeSignature } from "../../attributes/signature.js";
import { isEntry, isFunction, LINKAGE, linkageOf, type Columns, type SymbolRow } from "../columns.js";
import { internString, type StringId } from "../strings.js";
import type { TypeId } from "../types.js";
import { declaredFunction } from "../values.js";
import type { FileType } from "./elf-writer.js";
import type { Numbering, OutputSymbols } from "./output-rows.js";

/** The call graph. Functions are symbols of the file, and prototypes strings of the columns. */
export interface CallGraph {
  /** Pairs of caller and callee. */
  readonly calls: Int32Array;
  /** In the order of functions. A kernel has no prototype, because .nv.info contains its parameters. */
  readonly addresses: Addresses<StringId>;
  /** The contents of .nv.prototype: functions that other modules can call by name or by address. */
  readonly listed: readonly (readonly [function_: number, prototype: StringId])[];
}

/**
 * Makes the call graph, which for an object lists prototypes. Adds prototypes to the strings of the columns. As in nvlink's
 * images, code that was not chosen may count (`codeOf`), but only as a caller of defined functions.
 */
export function callGraph(
  columns: Columns,
  symbols: OutputSymbols,
  { numberOf, definitionOf, codeOf }: Numbering,
  listsPrototypes: boolean,
): CallGraph {
  const calls = new Int32Array(columns.calls.length);
  let length = 0;
  for (let i = 0; i < columns.calls.length; i += 2) {
    const row = columns.calls[i]!;
    const caller = codeOf(row);
    if (caller < 0) continue;
    // Only files of other writers have calls that their code does not name.
    const callee = numberOf(columns.calls[i + 1]!);
    if (callee < 0 || (columns.sectionOf[symbols.row[callee]!]! < 0 && definitionOf(row) < 0)) continue;
    calls[length++] = caller;
    calls[length++] = callee;
  }
  /** Pairs of the columns, grouped by the function that owns the code, in the order of functions. */
  const byFunction = (pairs: readonly number[]): (readonly [number, number])[] => {
    const found: (readonly [number, number])[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const function_ = codeOf(pairs[i]!);
      if (function_ >= 0) found.push([function_, pairs[i + 1]!]);
    }
    return found.sort(([a], [b]) => a - b);
  };
  const isThere = (number: number): boolean => number >= 0;
  const taken = [...new Set(columns.addressTaken.map(numberOf))].filter(isThere).sort((a, b) => a - b);
  const uses = byFunction(columns.addressUses).map(([user, target]) => [user, numberOf(target)] as const);
  const prototypeText = prototypeTexts(columns);
  const prototypes = new Map(
    taken.flatMap((number) => {
      const row = symbols.row[number]!;
      return isEntry(columns, row) ? [] : [[number, prototypeText(columns.typeId[row]!)] as const];
    }),
  );
  return {
    calls: calls.subarray(0, length),
    addresses: {
      taken,
      uses: uses.filter(([, target]) => isThere(target)),
      indirect: byFunction(columns.indirectCalls),
      prototypeOf: (number) => prototypes.get(number),
    },
    listed: listsPrototypes ? listedPrototypes(columns, symbols, new Set(taken), prototypeText) : [],
  };
}

function listedPrototypes(
  columns: Columns,
  { count, row: rows }: OutputSymbols,
  isTaken: ReadonlySet<number>,
  prototypeText: (typeId: TypeId) => StringId,
): CallGraph["listed"] {
  const listed: (readonly [number, StringId])[] = [];
  for (let number = 0; number < count; number++) {
    const row: SymbolRow = rows[number]!;
    if (!isFunction(columns, row) || isEntry(columns, row) || isTaken.has(number)) continue;
    if (linkageOf(columns, row) === LINKAGE.static || (columns.flags[row]! & IS_UNIFIED) !== 0) continue;
    listed.push([number, prototypeText(columns.typeId[row]!)]);
  }
  return listed;
}

/** The contents of .nv.callgraph. Adds prototypes to the names of symbols. */
export function callGraphPairs(
  { calls, addresses: { taken, indirect, uses, prototypeOf } }: CallGraph,
  elfOf: Int32Array,
  nameOf: (text: StringId) => number,
): Uint32Array {
  const pairs = new Uint32Array(calls.length + 2 * (4 + taken.length + indirect.length + uses.length));
  let next = 0;
  const put = (first: number, second: number): void => {
    pairs[next++] = first;
    pairs[next++] = second;
  };
  // Each list is opened by 0 and its negated number.
  put(0, -1);
  for (let i = 0; i < calls.length; i++) pairs[next++] = elfOf[calls[i]!]!;
  put(0, -2);
  for (const number of taken) {
    const prototype = prototypeOf(number);
    put(elfOf[number]!, prototype === undefined ? 0 : nameOf(prototype));
  }
  put(0, -3);
  for (const [caller, prototype] of indirect) put(elfOf[caller]!, nameOf(prototype));
  put(0, -4);
  for (const [user, target] of uses) put(elfOf[user]!, elfOf[target]!);
  return pairs;
}

/** The contents of .nv.prototype. */
export const prototypePairs = (
  { listed }: CallGraph,
  elfOf: Int32Array,
  nameOf: (text: StringId) => number,
): Uint32Array => Uint32Array.from(listed.flatMap(([number, text]) => [elfOf[number]!, nameOf(text)]));

/** For each function, the undefined functions that its code calls; for an image's kernel also those that it reaches. */
export function undefinedCallees(
  columns: Columns,
  { count, row, section }: OutputSymbols,
  { calls }: CallGraph,
  file: FileType,
): ReadonlyMap<number, readonly number[]> {
  const isUndefined = (number: number): boolean => section[number]! < 0 && isFunction(columns, row[number]!);
  const missing = new Map<number, number[]>();
  for (let i = 0; i < calls.length; i += 2)
    if (isUndefined(calls[i + 1]!)) listIn(missing, calls[i]!).push(calls[i + 1]!);
  if (file === "relocatable" || missing.size === 0) return missing;
  return undefinedReached(createCalls(count, calls), isUndefined, columns.kernels);
}

/**
 * Returns a function that makes the prototype string of a type, in NVIDIA's encoding, once for each type. A call through a
 * register must match it.
 */
function prototypeTexts({ types, strings }: Columns): (typeId: TypeId) => StringId {
  const known = new Map<TypeId, StringId>();
  return (typeId) => {
    const seen = known.get(typeId);
    if (seen !== undefined) return seen;
    const { prototype } = declaredFunction(types, typeId, false);
    const text = internString(strings, formatPrototype(prototypeSignature(prototype)));
    known.set(typeId, text);
    return text;
  };
}
