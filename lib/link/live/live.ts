// Pass: what the roots reach, for --gc-sections and --why-live. Vertices are merged symbols, each function and each variable
// by itself; edges are the relocations in a function's code and in a variable's initial value, and an alias refers to the
// function it stands for. Calls, call tables, addresses, textures: all are relocations. Breadth first from the roots in
// link order, so that the chain back to a root is as short as can be; one step back is kept per symbol.
// Linear in references, with a sort of the relocations of each data section.
// Rejected: whole sections as vertices, as linkers of native objects have it: one table of a module would keep the others.

import type { ObjectSymbol, RelocObject } from "../../object/object.js";
import type { Inputs } from "../inputs.js";
import type { Resolution } from "../names/resolve.js";
import type { Roots } from "./roots.js";

export interface Liveness {
  readonly roots: Roots;
  /** For each merged symbol: 1 when a root reaches it. */
  readonly live: Uint8Array;
  /** For each live symbol that is no root: the one whose definition refers to it. */
  readonly from: Int32Array;
  /** The relocation that does, as an index into those of the section of that definition; ALIAS for an alias. */
  readonly by: Int32Array;
  /** For each input, for each of its symbols: a live one of that input whose code or data refers to it, -1 where none does. */
  readonly referrer: readonly Int32Array[];
}

/** In place of a relocation: the symbol stands for the other one's code. */
export const ALIAS = -1;

export function findLive(inputs: Inputs, { merged, mergedOf }: Resolution, roots: Roots): Liveness {
  const live = new Uint8Array(merged.length);
  const from = new Int32Array(merged.length).fill(-1);
  const by = new Int32Array(merged.length);
  const referrer = inputs.map(({ symbols }) => new Int32Array(symbols.length).fill(-1));
  const indexes = inputs.map(() => new Map<number, Int32Array>());

  const queue = [...roots.keys()];
  for (const root of queue) live[root] = 1;
  // A list that is added to while it is walked is walked to its end.
  for (const at of queue) {
    const { object, index, symbol } = merged[at]!.chosen;
    const input = inputs[object]!;
    const reach = (to: number, relocation: number): void => {
      if (live[to] === 1) return;
      live[to] = 1;
      from[to] = at;
      by[to] = relocation;
      queue.push(to);
    };
    const aliasee = aliaseeOf(input, index);
    if (aliasee !== undefined) {
      const other = merged[mergedOf[object]![aliasee]!]!.chosen;
      if (other.object === object && other.index === aliasee) {
        reach(mergedOf[object]![aliasee]!, ALIAS);
        continue;
      }
    }
    forEachRelocation(input, symbol, indexes[object]!, (relocation) => {
      const { symbol: target } = input.sections[sectionOf(symbol)]!.relocations[relocation]!;
      if (referrer[object]![target] === -1) referrer[object]![target] = index;
      reach(mergedOf[object]![target]!, relocation);
    });
  }
  return { roots, live, from, by, referrer };
}

/** The function whose code an alias stands for; undefined for everything else. */
export function aliaseeOf(
  { symbols, sections }: Pick<RelocObject, "symbols" | "sections">,
  index: number,
): number | undefined {
  const { kind, placement } = symbols[index]!;
  if (kind !== "function" || placement.kind !== "section") return undefined;
  const { role } = sections[placement.section]!;
  if (role.kind !== "text" || role.symbol === index) return undefined;
  const owner = symbols[role.symbol]!.placement;
  return owner.kind === "section" && owner.section === placement.section ? role.symbol : undefined;
}

const sectionOf = ({ placement }: ObjectSymbol): number => (placement.kind === "section" ? placement.section : -1);

/** Each relocation of a definition, by its index in the section, ascending by offset. `indexes`: memo, by section. */
function forEachRelocation(
  { sections }: RelocObject,
  symbol: ObjectSymbol,
  indexes: Map<number, Int32Array>,
  visit: (relocation: number) => void,
): void {
  const { placement } = symbol;
  if (placement.kind !== "section") return;
  const { relocations } = sections[placement.section]!;
  if (relocations.length === 0) return;
  if (symbol.kind === "function") {
    for (let i = 0; i < relocations.length; i++) visit(i);
    return;
  }
  if (symbol.kind !== "variable") return;
  let byOffset = indexes.get(placement.section);
  if (byOffset === undefined) {
    byOffset = Int32Array.from(relocations.keys()).sort((a, b) => relocations[a]!.offset - relocations[b]!.offset);
    indexes.set(placement.section, byOffset);
  }
  const end = placement.offset + symbol.layout.size;
  for (let i = firstFrom(byOffset, (r) => relocations[r]!.offset >= placement.offset); i < byOffset.length; i++) {
    const relocation = byOffset[i]!;
    if (relocations[relocation]!.offset >= end) return;
    visit(relocation);
  }
}

/** The first place from which on `holds` is true, in a list where it is false before. */
export function firstFrom<T>(list: ArrayLike<T>, holds: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
