// Load-time relocations: those whose value depends on the addresses of memory. A relocation writes only bytes of its holder. The
// types are those of formats/cuda; link/image/relocate.ts decides which of them a linked image still has.

import { ADDRESSES, relocationFacts } from "../../formats/cuda/index.js";
import type { Relocation } from "../object/object.js";
import { writeHolder, writtenValue } from "../object/relocation-types.js";

/** Address of a symbol. */
export interface SymbolValue {
  /** Address in the symbol's own state space; for a function, its code address. */
  readonly plain: number;
  readonly generic: number;
}

/** The value of a relocation before it is truncated to the holder's width. */
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
