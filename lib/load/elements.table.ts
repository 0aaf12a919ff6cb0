// The element types of buffers and symbols in launch specifications, arguments and .npy files, with their sizes and accessors:
// docs/cli.md, "The launch specification".

import { BF16, F16, smallDecoder, smallEncoder } from "../base/num/small-float.js";
import type { NpyType } from "../../formats/npy/index.js";

export type ElementName =
  | "u8" | "s8" | "u16" | "s16" | "u32" | "s32" | "u64" | "s64" | "f16" | "bf16" | "f32" | "f64" | "b8" | "b16" | "b32" | "b64"; // prettier-ignore

export interface ElementType {
  readonly name: ElementName;
  /** Bytes of one element. */
  readonly bytes: number;
  readonly class: "integer" | "float";
  /** Smallest and largest integer that is accepted. Bit types and unsigned types also accept negative numbers of their size. */
  readonly range: readonly [bigint, bigint] | undefined;
  /** The .npy type that such elements are written as. .npy has no bf16, so its bits are written. */
  readonly npy: NpyType;
  store(view: DataView, offset: number, value: number | bigint): void;
  /** Returns a number, or a bigint for 64-bit integers. */
  load(view: DataView, offset: number): number | bigint;
}

type Access = Pick<ElementType, "store" | "load">;

const encodeF16 = smallEncoder(F16, "rn");
const decodeF16 = smallDecoder(F16);
const encodeBf16 = smallEncoder(BF16, "rn");
const decodeBf16 = smallDecoder(BF16);

const access: Readonly<Record<string, Access>> = {
  u8: { store: (v, o, x) => v.setUint8(o, Number(BigInt.asUintN(8, BigInt(x)))), load: (v, o) => v.getUint8(o) },
  s8: { store: (v, o, x) => v.setInt8(o, Number(BigInt.asIntN(8, BigInt(x)))), load: (v, o) => v.getInt8(o) },
  u16: {
    store: (v, o, x) => v.setUint16(o, Number(BigInt.asUintN(16, BigInt(x))), true),
    load: (v, o) => v.getUint16(o, true),
  },
  s16: {
    store: (v, o, x) => v.setInt16(o, Number(BigInt.asIntN(16, BigInt(x))), true),
    load: (v, o) => v.getInt16(o, true),
  },
  u32: {
    store: (v, o, x) => v.setUint32(o, Number(BigInt.asUintN(32, BigInt(x))), true),
    load: (v, o) => v.getUint32(o, true),
  },
  s32: {
    store: (v, o, x) => v.setInt32(o, Number(BigInt.asIntN(32, BigInt(x))), true),
    load: (v, o) => v.getInt32(o, true),
  },
  u64: {
    store: (v, o, x) => v.setBigUint64(o, BigInt.asUintN(64, BigInt(x)), true),
    load: (v, o) => v.getBigUint64(o, true),
  },
  s64: {
    store: (v, o, x) => v.setBigInt64(o, BigInt.asIntN(64, BigInt(x)), true),
    load: (v, o) => v.getBigInt64(o, true),
  },
  f16: {
    store: (v, o, x) => v.setUint16(o, encodeF16(Number(x)), true),
    load: (v, o) => decodeF16(v.getUint16(o, true)),
  },
  bf16: {
    store: (v, o, x) => v.setUint16(o, encodeBf16(Number(x)), true),
    load: (v, o) => decodeBf16(v.getUint16(o, true)),
  },
  f32: { store: (v, o, x) => v.setFloat32(o, Number(x), true), load: (v, o) => v.getFloat32(o, true) },
  f64: { store: (v, o, x) => v.setFloat64(o, Number(x), true), load: (v, o) => v.getFloat64(o, true) },
};

function integer(name: ElementName, npy: NpyType): ElementType {
  const bits = Number(name.slice(1));
  const low = -(1n << BigInt(bits - 1));
  const high = (1n << BigInt(name.startsWith("s") ? bits - 1 : bits)) - 1n;
  return { name, bytes: bits / 8, class: "integer", range: [low, high], npy, ...access[name.replace("b", "u")]! };
}

function float(name: ElementName, bytes: number, npy: NpyType): ElementType {
  return { name, bytes, class: "float", range: undefined, npy, ...access[name]! };
}

const rows: readonly ElementType[] = [
  integer("u8", "u1"),
  integer("s8", "i1"),
  integer("b8", "u1"),
  integer("u16", "u2"),
  integer("s16", "i2"),
  integer("b16", "u2"),
  integer("u32", "u4"),
  integer("s32", "i4"),
  integer("b32", "u4"),
  integer("u64", "u8"),
  integer("s64", "i8"),
  integer("b64", "u8"),
  float("f16", 2, "f2"),
  float("bf16", 2, "u2"),
  float("f32", 4, "f4"),
  float("f64", 8, "f8"),
];

const byName: ReadonlyMap<string, ElementType> = new Map(rows.map((row) => [row.name, row]));
const byNpy: ReadonlyMap<NpyType, ElementType> = new Map(
  rows.filter((row) => !row.name.startsWith("b")).map((row) => [row.npy, row]),
);

export const elementNames: readonly string[] = rows.map((row) => row.name);

export function elementType(name: string): ElementType | undefined {
  return byName.get(name);
}

/** The element type of a .npy file's numbers. */
export function elementOfNpy(type: NpyType): ElementType {
  return byNpy.get(type)!;
}
