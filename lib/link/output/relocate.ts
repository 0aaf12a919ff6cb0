// Pass: patch what is known once everything has its place, and keep the rest for the loader. Known are offsets in the
// constant bank and in shared memory. What depends on where memory is stays: global and generic addresses, functions,
// kernels. A relocation writes its holder's bytes and never a neighbour's. formats/cuda has the types; docs/linking.md.

import { BYTE_RELOCATIONS, R_CUDA } from "../../../formats/cuda/index.js";
import { wholeType } from "../../object/fixup-type.js";
import type { AppliedRelocation, Relocation } from "../../object/object.js";

/** What the linker knows of a merged symbol: its offset in its bank or in shared memory, in bytes, or nothing. */
export type KnownOffset = (symbol: number) => number | undefined;

/** How one module's relocations come into a section of the image. */
export interface Relocating {
  /** The image's bytes of the section, to be patched; absent for sections without bytes. */
  readonly data: Uint8Array | undefined;
  /** Where the module's bytes begin in it. */
  readonly base: number;
  /** The module's symbols as merged symbols, and those as the image's. */
  readonly mergedOf: Int32Array;
  readonly inImage: Int32Array;
  readonly known: KnownOffset;
  /** Gets what was patched, where that is to be told (--emit-relocs). */
  readonly applied?: AppliedRelocation[];
}

/** Patches what is known; returns the rest as the image's relocations. */
export function relocate(relocations: readonly Relocation[], into: Relocating): Relocation[] {
  const { data, base, mergedOf, inImage, known, applied } = into;
  const rest: Relocation[] = [];
  for (const relocation of relocations) {
    const symbol = mergedOf[relocation.symbol]!;
    const byte = bankByte(relocation.type);
    const found = byte === undefined ? undefined : known(symbol);
    const { width, addend } = relocation;
    const offset = base + relocation.offset;
    if (data === undefined || byte === undefined || found === undefined) {
      rest.push({ offset, type: typeForLoader(relocation.type), symbol: inImage[symbol]!, addend, width });
      continue;
    }
    const value = BigInt.asUintN(64, BigInt(found) + addend);
    writeHolder(data, offset, width, byte === "whole" ? value : (value >> BigInt(8 * byte)) & 0xffn);
    applied?.push({ offset, type: relocation.type, symbol: inImage[symbol]!, addend });
  }
  return rest;
}

/** What a type takes of an offset in a bank: all of it, one byte, or (undefined) it does not concern banks. */
function bankByte(type: number): "whole" | number | undefined {
  if (wholeType(type) === R_CUDA["64"]) return "whole";
  const byte = type - BYTE_RELOCATIONS.bank;
  return byte >= 0 && byte < 8 ? byte : undefined;
}

/** Which byte of an address a masking relocation of any kind takes; undefined for the whole. */
export function byteOfAddress(type: number): number | undefined {
  const first = Object.values(BYTE_RELOCATIONS).find((base) => type >= base && type < base + 8);
  return first === undefined ? undefined : type - first;
}

/** Writes the lowest bytes of a value, and no others. */
export function writeHolder(data: Uint8Array, offset: number, width: number, value: bigint): void {
  let rest = value;
  for (let i = 0; i < width; i++) {
    data[offset + i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
}

/** In an image a function has one address; its unified relocations become plain ones. */
function typeForLoader(type: number): number {
  if (type === R_CUDA.UNIFIED) return R_CUDA["64"];
  if (type === R_CUDA.UNIFIED_32) return R_CUDA["32"];
  const byte = type - BYTE_RELOCATIONS.unified;
  return byte >= 0 && byte < 8 ? BYTE_RELOCATIONS.bank + byte : type;
}
