// Load-time relocations: what depends on where memory is. A relocation writes the bytes of its holder and never a
// neighbour's. Types are those of formats/cuda; which of them a linked image still has: link/output/relocate.ts.

import { BYTE_RELOCATIONS, R_CUDA } from "../../formats/cuda/index.js";
import { wholeType } from "../object/fixup-type.js";
import type { Relocation } from "../object/object.js";

/** What the loader knows of a symbol's place. */
export interface SymbolValue {
  /** Address in the symbol's own state space; of a function, its code address. */
  readonly plain: number;
  readonly generic: number;
}

/** The value that a relocation writes, before it is cut to the holder's width. */
export function relocatedValue(relocation: Relocation, valueOf: (symbol: number) => SymbolValue): bigint {
  const { addend } = relocation;
  const type = wholeType(relocation.type);
  const { plain, generic } = valueOf(relocation.symbol);
  switch (type) {
    case R_CUDA.NONE:
    case R_CUDA.UNUSED_CLEAR64:
      return 0n;
    case R_CUDA.G64:
      return BigInt(generic) + addend;
    default: {
      const isGeneric = type >= BYTE_RELOCATIONS.generic && type < BYTE_RELOCATIONS.generic + 8;
      const first = byteRelocation(type);
      const whole = BigInt.asUintN(64, BigInt(isGeneric ? generic : plain) + addend);
      return first === undefined ? whole : (whole >> BigInt(8 * (type - first))) & 0xffn;
    }
  }
}

/** The type of byte 0 of the family that `type` belongs to; undefined when it takes the whole address. */
function byteRelocation(type: number): number | undefined {
  return Object.values(BYTE_RELOCATIONS).find((first) => type >= first && type < first + 8);
}

/** Writes a relocation's value into its holder. */
export function applyRelocation(
  bytes: Uint8Array,
  relocation: Relocation,
  valueOf: (symbol: number) => SymbolValue,
): void {
  let rest = BigInt.asUintN(64, relocatedValue(relocation, valueOf));
  for (let i = 0; i < relocation.width; i++) {
    bytes[relocation.offset + i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}
