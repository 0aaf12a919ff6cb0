// Conversions of a formatted store (sust.p) from a 32-bit register to each surface format: Hopper's rules, recorded in
// testdata/hardware/h200/memory (topic surface; docs/textures.md, "Surfaces").

import { f32FromBits } from "../../base/num/bits.js";
import { F16, smallEncoder } from "../../base/num/small-float.js";
import type { ImageFormatName } from "../../load/image-formats.table.js";

export type FormatStore = (view: DataView, offset: number, bits: number) => void;

const cutToF16 = smallEncoder(F16, "rz");

const F16_QUIET = 0x200;

/**
 * Cuts toward zero. Finite values beyond the largest f16 become the largest f16; infinities stay. A NaN keeps its sign and its
 * payload's upper bits.
 */
function f16Bits(bits: number): number {
  const magnitude = bits & 0x7fffffff;
  const sign = (bits >>> 16) & 0x8000;
  if (magnitude <= 0x7f800000) return cutToF16(f32FromBits(bits));
  return sign | 0x7c00 | ((magnitude >>> 13) & 0x3ff || F16_QUIET);
}

const word: FormatStore = (view, offset, bits) => view.setInt32(offset, bits, true);

export const formatStores: Readonly<Record<ImageFormatName, FormatStore>> = {
  // Unsigned formats read the register as unsigned: a negative number is a large one.
  u8: (view, offset, bits) => view.setUint8(offset, Math.min(255, bits >>> 0)),
  u16: (view, offset, bits) => view.setUint16(offset, Math.min(65535, bits >>> 0), true),
  s8: (view, offset, bits) => view.setInt8(offset, Math.max(-128, Math.min(127, bits))),
  s16: (view, offset, bits) => view.setInt16(offset, Math.max(-32768, Math.min(32767, bits)), true),
  f16: (view, offset, bits) => view.setUint16(offset, f16Bits(bits), true),
  u32: word,
  s32: word,
  f32: word,
};
