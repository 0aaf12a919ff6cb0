// Who calls whom in the object of `-r` (partial-link.ts), whose addresses are taken, and what prototypes functions have: as
// object/attributes/call-graph.ts has it.

import type { PartialLink } from "./partial-link.js";
import { IS_UNIFIED } from "../../object/columns/codes.js";
import type { TypeId } from "../../object/columns/types.js";
import { isEntry, isFunction, LINKAGE, linkageOf, type SymbolRow, type Columns } from "../../object/columns/columns.js";
import type { StringId } from "../../object/columns/strings.js";
import { listIn } from "../shared/shared-reach.js";

export interface JoinedGraph {
  /** The contents of .nv.callgraph and .nv.prototype. */
  readonly pairs: Uint32Array;
  readonly prototypes: Uint32Array;
  /** By function of the object: the ELF symbols of undefined ones that its code calls. */
  readonly externs: ReadonlyMap<number, readonly number[]>;
}

/** Whether code belongs to a function by that name. */
const isOwner = ({ owner, sectionOf }: Columns, row: SymbolRow): boolean =>
  sectionOf[row]! >= 0 && owner[sectionOf[row]!] === row;

/** Adds texts of prototypes to those of the link; what it returns adds them to the names of symbols. */
export function joinedGraph(
  join: PartialLink,
  prototypeText: (typeId: TypeId) => StringId,
): (elfOf: Int32Array, nameOf: (text: StringId) => number) => JoinedGraph {
  const { columns, symbols, numberOf, codeOf } = join;
  const calls: number[] = [];
  for (let i = 0; i < columns.calls.length; i += 2) {
    const caller = isOwner(columns, columns.calls[i]!) ? codeOf(columns.calls[i]!) : -1;
    if (caller >= 0) calls.push(caller, numberOf(columns.calls[i + 1]!));
  }
  /** What code says, in the order of functions. */
  const ofCode = (pairs: readonly number[]): readonly (readonly [number, number])[] => {
    const found: (readonly [number, number])[] = [];
    for (let i = 0; i < pairs.length; i += 2)
      if (isOwner(columns, pairs[i]!) && codeOf(pairs[i]!) >= 0) found.push([codeOf(pairs[i]!), pairs[i + 1]!]);
    return found.sort(([a], [b]) => a - b);
  };
  const indirect = ofCode(columns.indirectCalls);
  const uses = ofCode(columns.addressUses);
  const taken = [...new Set(columns.addressTaken.map(numberOf))].sort((a, b) => a - b);
  const isTaken = new Set(taken);
  /** 0 for kernels: .nv.info holds their parameters. */
  const signatureOf = (number: number): StringId =>
    isEntry(columns, symbols[number]!) ? -1 : prototypeText(columns.typeId[symbols[number]!]!);
  const signatures = new Map(taken.map((number) => [number, signatureOf(number)]));
  const listed: number[] = [];
  symbols.forEach((row, number) => {
    if (!isFunction(columns, row) || isEntry(columns, row) || isTaken.has(number)) return;
    if (linkageOf(columns, row) === LINKAGE.static || (columns.flags[row]! & IS_UNIFIED) !== 0) return;
    listed.push(number, prototypeText(columns.typeId[row]!));
  });
  return (elfOf, nameOf) => {
    const pairs: number[] = [];
    // Each list is opened by 0 and its number below 0.
    pairs.push(0, -1);
    for (const number of calls) pairs.push(elfOf[number]!);
    pairs.push(0, -2);
    for (const [number, text] of signatures) pairs.push(elfOf[number]!, text < 0 ? 0 : nameOf(text));
    pairs.push(0, -3);
    for (const [number, text] of indirect) pairs.push(elfOf[number]!, nameOf(text));
    pairs.push(0, -4);
    for (const [number, target] of uses) pairs.push(elfOf[number]!, elfOf[numberOf(target)]!);
    const externs = new Map<number, number[]>();
    for (let i = 0; i < calls.length; i += 2) {
      if (join.outputSectionOf[calls[i + 1]!]! >= 0 || !isFunction(columns, symbols[calls[i + 1]!]!)) continue;
      listIn(externs, calls[i]!).push(elfOf[calls[i + 1]!]!);
    }
    return {
      pairs: Uint32Array.from(pairs),
      prototypes: Uint32Array.from(listed, (word, i) => (i % 2 === 0 ? elfOf[word]! : nameOf(word))),
      externs,
    };
  };
}
