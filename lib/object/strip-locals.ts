// An image without the names of static variables that nothing in it refers to any more (link --discard-all, --strip-all): those
// of .const and .shared, whose places are in the code already, and what only a host could ask for by name. Their bytes stay.
// Functions keep their names, because code belongs to them, and so does what DWARF names.

import { renumbered } from "./attributes/code-facts.js";
import type { LinkedImage, ObjectSymbol, SectionRole } from "./object.js";

export function stripLocals(image: LinkedImage): LinkedImage {
  const needed = new Set(
    image.sections.flatMap(({ relocations, applied = [] }) => [...relocations, ...applied].map(({ symbol }) => symbol)),
  );
  const described = new Set((image.debugSections ?? []).map(({ module }) => module));
  const isKept = (symbol: ObjectSymbol, index: number): boolean =>
    symbol.kind === "function" ||
    symbol.linkage !== "static" ||
    needed.has(index) ||
    described.has(symbol.origin.module);
  let count = 0;
  const numbers = Int32Array.from(image.symbols, (symbol, i) => (isKept(symbol, i) ? count++ : -1));
  const numberOf = (symbol: number): number => numbers[symbol]!;
  const moved = <T extends { readonly symbol: number }>(item: T): T => ({ ...item, symbol: numberOf(item.symbol) });
  const roleOf = (role: SectionRole): SectionRole => ("symbol" in role ? moved(role) : role);
  return {
    ...image,
    sections: image.sections.map((section) => ({
      ...section,
      role: roleOf(section.role),
      relocations: section.relocations.map(moved),
      ...(section.applied === undefined ? {} : { applied: section.applied.map(moved) }),
    })),
    symbols: image.symbols.filter(isKept),
    kernels: image.kernels.map(moved),
    calls: image.calls.map(({ caller, callee }) => ({ caller: numberOf(caller), callee: numberOf(callee) })),
    addressTaken: image.addressTaken.map(numberOf),
    codeFacts: renumbered(image.codeFacts, numberOf),
  };
}
