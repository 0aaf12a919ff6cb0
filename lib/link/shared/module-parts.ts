// Splits an object that -r has joined into its modules again, as far as the orders of functions and shared variables need it.
// Needed for --gc-sections: each module then counts as if its dead code had never existed, and has another order than the one in
// which -r stored it.

import type { OrderedObject, OrderedSection, OrderedSymbol } from "./function-order.js";

/** One module of an object, as an object. */
export interface ModulePart {
  readonly object: OrderedObject;
  /**
   * For each of its symbols, its number in the whole object: its own, ascending, then those of other modules that it refers to.
   */
  readonly indices: readonly number[];
  /** Number of its own symbols. */
  readonly own: number;
}

/** The parts by module, without modules that have no symbols. Each section contains symbols of one module only. */
export function modulePartsOf(object: OrderedObject): ReadonlyMap<number, ModulePart> {
  const drafts = new Map<number, Draft>();
  const draftOf = (module: number): Draft => {
    const known = drafts.get(module) ?? { symbols: [], sections: [], facts: [] };
    drafts.set(module, known);
    return known;
  };
  const moduleOf = new Int32Array(object.sections.length).fill(NO_MODULE);
  object.symbols.forEach(({ origin, placement }, index) => {
    draftOf(origin.module).symbols.push(index);
    if (placement.kind === "section") moduleOf[placement.section] = origin.module;
  });
  moduleOf.forEach((module, section) => {
    if (module !== NO_MODULE) draftOf(module).sections.push(section);
  });
  for (const facts of object.codeProperties) draftOf(object.symbols[facts.symbol]!.origin.module).facts.push(facts);
  return new Map(Array.from(drafts, ([module, draft]) => [module, partOf(object, draft)]));
}

const NO_MODULE = -1;

/** Numbers of the whole object's symbols and sections. */
interface Draft {
  readonly symbols: number[];
  readonly sections: number[];
  readonly facts: OrderedObject["codeProperties"][number][];
}

function partOf({ symbols, sections, addressTaken }: OrderedObject, draft: Draft): ModulePart {
  const indices = [...draft.symbols];
  const numbers = new Map(indices.map((index, number) => [index, number]));
  const numberOf = (index: number): number => {
    const known = numbers.get(index) ?? indices.push(index) - 1;
    numbers.set(index, known);
    return known;
  };
  const sectionNumbers = new Map(draft.sections.map((section, number) => [section, number]));
  const own = draft.sections.map((section): OrderedSection => {
    const { role, relocations, ...rest } = sections[section]!;
    return {
      ...rest,
      role: "symbol" in role ? { ...role, symbol: numberOf(role.symbol) } : role,
      relocations: relocations.map((relocation) => ({ ...relocation, symbol: numberOf(relocation.symbol) })),
    };
  });
  const codeProperties = draft.facts.map((facts) => ({
    ...facts,
    symbol: numberOf(facts.symbol),
    addressUses: facts.addressUses.map(numberOf),
  }));
  const placed = (index: number): OrderedSymbol => {
    const symbol = symbols[index]!;
    const { placement } = symbol;
    if (placement.kind !== "section") return symbol;
    const section = sectionNumbers.get(placement.section);
    return { ...symbol, placement: section === undefined ? { kind: "undefined" } : { ...placement, section } };
  };
  return {
    object: { symbols: indices.map(placed), sections: own, codeProperties, addressTaken, modules: { length: 1 } },
    indices,
    own: draft.symbols.length,
  };
}
