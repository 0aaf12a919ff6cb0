// Load-time relocations: what depends on where memory is. A relocation writes the bytes of its holder and never a
// neighbour's. Types are those of formats/cuda; which of them a linked image still has: link/image/relocate.ts.

import { ADDRESSES, relocationFacts } from "../../formats/cuda/index.js";
import type { Relocation } from "../object/object.js";
import { writeHolder, writtenValue } from "../object/relocation-types.js";

/** The loader's knowledge of a symbol's place. */
export interface SymbolValue {
  /** Address in the symbol's own state space; of a function, its code address. */
  readonly plain: number;
  readonly generic: number;
}

/** The value that a relocation writes, before it is cut to the holder's width. */
export function relocatedValue(relocation: Relocation, valueOf: (symbol: number) => SymbolValue): bigint {
  const { type, symbol, addend } = relocation;
  const writes = relocationFacts(type)?.writes;
  return writes === undefined ? 0n : writtenValue(type, BigInt(valueOf(symbol)[ADDRESSES[writes].value]) + addend);
}

/** Writes a relocation's value into its holder. */
export function applyRelocation(
  bytes: Uint8Array,
  relocation: Relocation,
  valueOf: (symbol: number) => SymbolValue,
): void {
  writeHolder(bytes, relocation.offset, relocation.width, relocatedValue(relocation, valueOf));
}
