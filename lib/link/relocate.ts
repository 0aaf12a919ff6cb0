// Pass: patch what is known once everything has its place, and keep the rest for the loader. Known are offsets in the
// constant bank and in shared memory. What depends on where memory is stays: global and generic addresses, functions,
// kernels. A relocation writes its holder's bytes and never a neighbour's. formats/cuda has the types; docs/linking.md.

import { BYTE_RELOCATIONS, R_CUDA } from "../../formats/cuda/index.js";
import type { Relocation } from "../object/object.js";

/** What the linker knows of a symbol: its offset in its bank or in shared memory, in bytes, or nothing. */
export type KnownOffset = (symbol: number) => number | undefined;

/** A section's relocations against merged symbols: `data` patched with what is known, the others returned. */
export function relocate(
  data: Uint8Array | undefined,
  relocations: readonly Relocation[],
  known: KnownOffset,
): readonly Relocation[] {
  return relocations.flatMap((relocation) => {
    const byte = bankByte(relocation.type);
    const offset = byte === undefined ? undefined : known(relocation.symbol);
    if (data === undefined || byte === undefined || offset === undefined) return [forLoader(relocation)];
    const value = BigInt.asUintN(64, BigInt(offset) + relocation.addend);
    write(data, relocation, byte === "whole" ? value : (value >> BigInt(8 * byte)) & 0xffn);
    return [];
  });
}

/** What a type takes of an offset in a bank: all of it, one byte, or (undefined) it does not concern banks. */
function bankByte(type: number): "whole" | number | undefined {
  if (type === R_CUDA["64"]) return "whole";
  const byte = type - BYTE_RELOCATIONS.bank;
  return byte >= 0 && byte < 8 ? byte : undefined;
}

function write(data: Uint8Array, { offset, width }: Relocation, value: bigint): void {
  let rest = value;
  for (let i = 0; i < width; i++) {
    data[offset + i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}

/** In an image a function has one address; its unified relocations become plain ones. */
function forLoader(relocation: Relocation): Relocation {
  const { type } = relocation;
  if (type === R_CUDA.UNIFIED) return { ...relocation, type: R_CUDA["64"] };
  const byte = type - BYTE_RELOCATIONS.unified;
  return byte >= 0 && byte < 8 ? { ...relocation, type: BYTE_RELOCATIONS.bank + byte } : relocation;
}
