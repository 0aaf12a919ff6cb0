// The places of references in their sources, for messages and reports: the lines of the instructions that use the symbol's slot
// (a function has one for each symbol), or the declaration of the variable whose initialiser holds it. Each requested function is
// skimmed once, so callers ask only for places that they show.

import type { LinePlace } from "../../diag/diagnostic.js";
import type { ObjectSymbol } from "../../object/object.js";
import { slotLines } from "../../object/code/skim.js";
import { placeOf } from "./contributions.js";
import type { ReadInputs, ReadObject } from "./linked.js";

export interface ReferencePlace {
  readonly place: LinePlace | undefined;
  /** The function or variable that contains the reference; undefined if the bytes belong to none. */
  readonly holder: ObjectSymbol | undefined;
  /** Its index in its object, or -1. */
  readonly index: number;
}

/** For one section: the symbols that contain its bytes, and the lines that use its slots. */
interface SectionPlaces {
  /** Index of the symbol that contains the byte at an offset, or -1. */
  holderOf(offset: number): number;
  /** Lines on which code uses each slot, in code order, by the slot's offset. */
  readonly lines: ReadonlyMap<number, readonly number[]>;
}

/** A reference to look up. */
export interface Referring {
  /** Index into the inputs. */
  readonly object: number;
  /** Index into that object's sections. */
  readonly section: number;
  readonly relocation: { readonly offset: number };
}

/** The places of a reference, at least one. */
export type ReferencePlacer = (reference: Referring) => readonly [ReferencePlace, ...ReferencePlace[]];

/** Returns a function that finds the places of references, and caches the instructions that it has skimmed. */
export function createReferencePlacer(inputs: ReadInputs): ReferencePlacer {
  const known = new Map<number, SectionPlaces>();
  const members = new Map<number, SectionMembers>();
  const membersOf = (object: number): SectionMembers => {
    const found = members.get(object) ?? sectionMembers(inputs.at(object)!);
    members.set(object, found);
    return found;
  };
  const placesOf = (object: number, section: number): SectionPlaces => {
    // No object has that many sections.
    const key = object * 2 ** 24 + section;
    const found = known.get(key);
    if (found !== undefined) return found;
    const input = inputs.at(object)!;
    const own = membersOf(object).get(section) ?? [];
    const { role, data } = input.sections.at(section)!;
    const lines = role.kind === "text" && data !== undefined ? slotLines(data) : NO_LINES;
    const made = { holderOf: findHolders(input, section, own), lines };
    known.set(key, made);
    return made;
  };
  return ({ object, section, relocation }) => {
    const { holderOf, lines } = placesOf(object, section);
    const index = holderOf(relocation.offset);
    const holder = index < 0 ? undefined : inputs.at(object)!.symbols.at(index);
    if (holder === undefined) return [{ place: undefined, holder, index: -1 }];
    const place = placeOf(inputs, { object, index, symbol: holder });
    const [first, ...others] = lines.get(relocation.offset) ?? [];
    if (first === undefined) return [{ place, holder, index }];
    const at = (line: number): ReferencePlace => ({ place: onLine(place, line), holder, index });
    return [at(first), ...others.map(at)];
  };
}

const NO_LINES: SectionPlaces["lines"] = new Map();

/** Another line of the same source. */
export const onLine = ({ kind, file, object }: LinePlace, line: number): LinePlace => ({
  kind,
  file,
  line,
  ...(object === undefined ? {} : { object }),
});

/** A symbol in a section. */
export interface Member {
  /** Index into the object's symbols. */
  readonly index: number;
  /** Bytes from the section's start. */
  readonly offset: number;
}

export type SectionMembers = ReadonlyMap<number, readonly Member[]>;

/** The symbols in each section of an object. */
export function sectionMembers({ symbols }: Pick<ReadObject, "symbols">): SectionMembers {
  const members = new Map<number, Member[]>();
  for (let index = 0; index < symbols.length; index++) {
    const { placement } = symbols.at(index)!;
    if (placement.kind !== "section") continue;
    const { section, offset } = placement;
    const list = members.get(section);
    if (list === undefined) members.set(section, [{ index, offset }]);
    else list.push({ index, offset });
  }
  return members;
}

function findHolders(input: ReadObject, section: number, own: readonly Member[]): SectionPlaces["holderOf"] {
  const { role } = input.sections.at(section)!;
  // An alias shares the code.
  const owner = role.kind === "text" ? (own.find(({ index }) => index === role.symbol) ?? own[0]) : undefined;
  if (owner !== undefined) return () => owner.index;
  const sorted = own.toSorted((a, b) => a.offset - b.offset);
  return (offset) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    const last = sorted[low - 1];
    const symbol = last && input.symbols.at(last.index);
    return symbol?.kind === "variable" && offset < last!.offset + symbol.layout.size ? last!.index : -1;
  };
}
