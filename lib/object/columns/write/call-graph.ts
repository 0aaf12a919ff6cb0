// `.nv.callgraph` and `.nv.prototype` of an object or an image held as a value: calls, functions whose address is taken, and
// prototypes of functions. docs/format.md, "Attributes, call graph, prototypes".

import { IS_UNIFIED } from "../../file/declaration-codes.js";
import { formatPrototype } from "../../../../formats/cuda/index.js";
import { listIn } from "../../../base/lists.js";
import { createCalls, undefinedReached } from "../../attributes/reached-properties.js";
import { prototypeSignature } from "../../attributes/signature.js";
import { isEntry, isFunction, LINKAGE, linkageOf, type Columns } from "../columns.js";
import { internString, type StringId } from "../strings.js";
import type { TypeId } from "../types.js";
import { declaredFunction } from "../values.js";
import type { OutputObject } from "./output-object.js";

/**
 * The call graph. Functions are numbers of the object. A kernel's prototype is NO_PROTOTYPE, because .nv.info contains its
 * parameters.
 */
export interface ObjectGraph {
  /** Pairs of caller and callee. */
  readonly calls: readonly number[];
  /** Functions whose address is taken, in order, with their prototypes. */
  readonly taken: readonly FunctionPrototype[];
  /** Functions with the prototypes that they call through registers. */
  readonly indirect: readonly FunctionPrototype[];
  /** Functions with those whose address their code takes. */
  readonly uses: readonly (readonly [user: number, target: number])[];
  /** The contents of .nv.prototype: functions that other modules can call by name or by address. */
  readonly listed: readonly FunctionPrototype[];
}

type FunctionPrototype = readonly [function_: number, prototype: StringId];

const NO_PROTOTYPE: StringId = -1;

/** Makes the call graph. Adds prototypes to the strings of the columns. */
export function objectGraph({ columns, symbols, numberOf, codeOf }: OutputObject): ObjectGraph {
  const calls: number[] = [];
  for (let i = 0; i < columns.calls.length; i += 2) {
    const caller = codeOf(columns.calls[i]!);
    if (caller >= 0) calls.push(caller, numberOf(columns.calls[i + 1]!));
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
  const prototypeText = prototypeTexts(columns);
  const prototypeOf = (number: number): StringId =>
    isEntry(columns, symbols[number]!) ? NO_PROTOTYPE : prototypeText(columns.typeId[symbols[number]!]!);
  const taken = [...new Set(columns.addressTaken.map(numberOf))].sort((a, b) => a - b);
  const isTaken = new Set(taken);
  const listed: FunctionPrototype[] = [];
  symbols.forEach((row, number) => {
    if (!isFunction(columns, row) || isEntry(columns, row) || isTaken.has(number)) return;
    if (linkageOf(columns, row) === LINKAGE.static || (columns.flags[row]! & IS_UNIFIED) !== 0) return;
    listed.push([number, prototypeOf(number)]);
  });
  return {
    calls,
    taken: taken.map((number) => [number, prototypeOf(number)]),
    indirect: byFunction(columns.indirectCalls),
    uses: byFunction(columns.addressUses).map(([user, target]) => [user, numberOf(target)]),
    listed,
  };
}

/** The contents of .nv.callgraph. Adds prototypes to the names of symbols. */
export function callGraphPairs(
  { calls, taken, indirect, uses }: ObjectGraph,
  elfOf: Int32Array,
  nameOf: (text: StringId) => number,
): Uint32Array {
  const pairs: number[] = [];
  // Each list is opened by 0 and its negated number.
  pairs.push(0, -1);
  for (let i = 0; i < calls.length; i++) pairs.push(elfOf[calls[i]!]!);
  pairs.push(0, -2);
  for (const [number, text] of taken) pairs.push(elfOf[number]!, text === NO_PROTOTYPE ? 0 : nameOf(text));
  pairs.push(0, -3);
  for (const [number, text] of indirect) pairs.push(elfOf[number]!, nameOf(text));
  pairs.push(0, -4);
  for (const [number, target] of uses) pairs.push(elfOf[number]!, elfOf[target]!);
  return Uint32Array.from(pairs);
}

/** The contents of .nv.prototype. */
export const prototypePairs = (
  { listed }: ObjectGraph,
  elfOf: Int32Array,
  nameOf: (text: StringId) => number,
): Uint32Array => Uint32Array.from(listed.flatMap(([number, text]) => [elfOf[number]!, nameOf(text)]));

/** For each function, the undefined functions that its code calls; for an image's kernel also those that it reaches. */
export function undefinedCallees(
  { columns, symbols, outputSectionOf, image }: OutputObject,
  { calls }: ObjectGraph,
): ReadonlyMap<number, readonly number[]> {
  const isUndefined = (number: number): boolean =>
    outputSectionOf[number]! < 0 && isFunction(columns, symbols[number]!);
  const missing = new Map<number, number[]>();
  for (let i = 0; i < calls.length; i += 2)
    if (isUndefined(calls[i + 1]!)) listIn(missing, calls[i]!).push(calls[i + 1]!);
  if (image === undefined || missing.size === 0) return missing;
  return undefinedReached(createCalls(symbols.length, Int32Array.from(calls)), isUndefined, columns.kernels);
}

/**
 * Returns a function that makes the prototype string of a type, in NVIDIA's encoding, once for each type. A call through a
 * register must match it.
 */
export function prototypeTexts({ types, strings }: Columns): (typeId: TypeId) => StringId {
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
