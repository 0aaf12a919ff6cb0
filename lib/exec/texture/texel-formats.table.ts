// Conversions of texels of each format when they are read: Hopper's rules, recorded in testdata/hardware/h200/memory (topic
// texture; docs/textures.md). A value is the number that filters add: the integer, or the float.

import { f32ToBits } from "../../base/num/bits.js";
import { F16, smallDecoder } from "../../base/num/small-float.js";
import type { ImageFormatName } from "../../load/image-formats.table.js";

export interface TexelFormat {
  /** Bytes of one channel. */
  readonly bytes: number;
  readonly value: (view: DataView, offset: number) => number;
  /** The 32 bits of an element read. Floats are moved, not converted, so that NaN payloads stay. */
  readonly bits: (view: DataView, offset: number) => number;
  /** Converts the value to an f32 in [0, 1] or [-1, 1]. Undefined for formats that are never read normalised. */
  readonly normalized: ((value: number) => number) | undefined;
  /** Converts a border colour. `integerBorder` is for integers that are read as elements, `border` for everything else. */
  readonly border: (color: number) => number;
  readonly integerBorder: ((color: number) => number) | undefined;
}

const decodeF16 = smallDecoder(F16);

/** Converts an f16 to f32, both as bits. NaN payloads move up by 13 bits. */
function f16ToF32Bits(bits: number): number {
  const magnitude = bits & 0x7fff;
  const sign = (bits & 0x8000) << 16;
  if (magnitude >= 0x7c00) return sign | 0x7f800000 | ((magnitude & 0x3ff) << 13);
  return f32ToBits(decodeF16(bits));
}

/** Cuts to an f16, toward zero. */
function cutToF16(x: number): number {
  const size = Math.abs(x);
  if (!(size < Infinity) || size === 0) return x;
  const unit = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10);
  return Math.sign(x) * Math.min(65504, Math.floor(size / unit) * unit);
}

const limited = (x: number, least: number, most: number): number => (x > least ? Math.min(x, most) : least);

function integer(bits: 8 | 16 | 32, signed: boolean, value: (view: DataView, offset: number) => number): TexelFormat {
  const most = 2 ** (signed ? bits - 1 : bits) - 1;
  const least = signed ? -most - 1 : 0;
  const low = signed ? -1 : 0;
  const isNormal = bits < 32;
  return {
    bytes: bits / 8,
    value,
    bits: (view, offset) => value(view, offset) | 0,
    normalized: isNormal ? (v) => Math.fround(Math.max(low, v / most)) : undefined,
    border: (color) => (color === color ? Math.floor(limited(color, low, 1) * most) : 0),
    integerBorder: (color) => (color === color ? Math.trunc(limited(color, least, most)) : 0),
  };
}

const float = (
  bytes: number,
  value: TexelFormat["value"],
  bits: TexelFormat["bits"],
  border: TexelFormat["border"],
): TexelFormat => ({ bytes, value, bits, normalized: undefined, border, integerBorder: undefined });

export const texelFormats: Readonly<Record<ImageFormatName, TexelFormat>> = {
  u8: integer(8, false, (view, offset) => view.getUint8(offset)),
  s8: integer(8, true, (view, offset) => view.getInt8(offset)),
  u16: integer(16, false, (view, offset) => view.getUint16(offset, true)),
  s16: integer(16, true, (view, offset) => view.getInt16(offset, true)),
  u32: integer(32, false, (view, offset) => view.getUint32(offset, true)),
  s32: integer(32, true, (view, offset) => view.getInt32(offset, true)),
  f16: float(
    2,
    (view, offset) => decodeF16(view.getUint16(offset, true)),
    (view, offset) => f16ToF32Bits(view.getUint16(offset, true)),
    cutToF16,
  ),
  f32: float(
    4,
    (view, offset) => view.getFloat32(offset, true),
    (view, offset) => view.getInt32(offset, true),
    (color) => color,
  ),
};
