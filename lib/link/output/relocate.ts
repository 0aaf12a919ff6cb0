// Pass: patch what is known once everything has its place, and keep the rest for the loader. Known are offsets in the
// constant bank and in shared memory. What depends on where memory is stays: global and generic addresses, functions,
// kernels. A relocation writes its holder's bytes and never a neighbour's. formats/cuda has the types; docs/linking.md.

import type { AppliedRelocation, Relocation } from "../../object/object.js";
import { IMAGE_TYPE, LINKED_BYTE, writeHolder, writtenValue } from "../../object/relocation-types.js";

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
    const { type, width, addend } = relocation;
    const found = LINKED_BYTE[type]! < 0 ? undefined : known(symbol);
    const offset = base + relocation.offset;
    if (data === undefined || found === undefined) {
      rest.push({ offset, type: IMAGE_TYPE[type]!, symbol: inImage[symbol]!, addend, width });
      continue;
    }
    writeHolder(data, offset, width, writtenValue(type, BigInt(found) + addend));
    applied?.push({ offset, type, symbol: inImage[symbol]!, addend });
  }
  return rest;
}
