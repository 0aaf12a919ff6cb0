// Arguments for functions of libdevice: edge values of each type and their neighbours, then random ones, the same on
// every run.

import type { Row } from "./run.js";
import type { Signature, Slot } from "./signature.js";

/** Random 32-bit numbers from a seed. */
export function randomBits(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

const scratch = new DataView(new ArrayBuffer(8));

export function floatBits(value: number): bigint {
  scratch.setFloat32(0, value);
  return BigInt(scratch.getUint32(0));
}

export function doubleBits(value: number): bigint {
  scratch.setFloat64(0, value);
  return scratch.getBigUint64(0);
}

const edges = [
  0, 1, 0.5, 2, 3, 0.25, 1.5, 10, 0.1, 100, Math.PI, Math.PI / 2, Math.E, Math.SQRT2, 88.72, 89.5, 103.97, 709.7, 745.2, 127, 128,
  150, 1e10, 65536, 2 ** 23, 2 ** 24, 2 ** 31, 2 ** 32, 2 ** 52, 2 ** 53, 2 ** 63, 1e30, 1e300, 1e-10, 1e-30, 1e-300, 1e-40, 1e-310,
  2 ** -126, 2 ** -149, 2 ** -1022, 5e-324, 3.4028234663852886e38, 1.7976931348623157e308, Infinity, 105615, 0.9999999, 1.0000001,
]; // prettier-ignore

const integerEdges = [0n, 1n, 2n, 3n, 7n, 31n, 32n, 63n, 0x7fffffffn, 0x80000000n, 0xffffffffn, 0x7fffffffffffffffn, 1n << 63n, ~0n]; // prettier-ignore

function edgeBits(slot: Slot): readonly bigint[] {
  switch (slot) {
    case "f32":
      return [...edges.flatMap((value) => [floatBits(value), floatBits(-value)]), 0x7fc00000n];
    case "f64":
      return [...edges.flatMap((value) => [doubleBits(value), doubleBits(-value)]), 0x7ff8000000000000n];
    case "i64":
      return integerEdges.map((value) => BigInt.asUintN(64, value));
    case "i16":
      return [0n, 1n, 0x3ffn, 0x400n, 0x3c00n, 0x7bffn, 0x7c00n, 0x7e00n, 0x8000n, 0xfbffn, 0xfc00n];
    default:
      return integerEdges.map((value) => BigInt.asUintN(32, value));
  }
}

/** A random value: random bits, or a number of moderate size. */
function randomValue(slot: Slot, random: () => number): bigint {
  const kind = random() % 4;
  const wide = (BigInt(random()) << 32n) | BigInt(random());
  if (slot === "f32" || slot === "f64") {
    const bits = slot === "f32" ? BigInt.asUintN(32, wide) : wide;
    if (kind === 0) return bits;
    const scale = [1, 10, 100][kind - 1]!;
    const value = ((random() / 2 ** 32) * 2 - 1) * scale;
    return slot === "f32" ? floatBits(value) : doubleBits(value);
  }
  const width = slot === "i64" ? 64 : slot === "i16" ? 16 : 32;
  const value = BigInt.asUintN(width, wide);
  return kind === 0 ? value >> BigInt(random() % width) : value;
}

/** Small orders, for functions with such an argument. */
const orders: Readonly<Record<string, number>> = {
  __nv_jn: 12, __nv_jnf: 12, __nv_yn: 12, __nv_ynf: 12,
}; // prettier-ignore

function argument({ name }: Signature, slot: Slot, random: () => number): bigint | readonly bigint[] {
  if (slot === "text") return [0n];
  if (slot === "list32" || slot === "list64")
    return Array.from({ length: 5 }, () => randomValue(slot === "list32" ? "f32" : "f64", random));
  if (slot.startsWith("p")) return 0n;
  if (slot === "i32") {
    if (name.includes("norm")) return BigInt(random() % 6);
    const most = orders[name];
    if (most !== undefined) return BigInt(random() % most);
    if (/ldexp|scalbn|powi/.test(name) && random() % 4 !== 0) return BigInt.asUintN(32, BigInt((random() % 200) - 100));
  }
  return randomValue(slot, random);
}

/** `count` random rows, after the edge values: all of them for one parameter, some of the pairs for two. */
export function rowsOf(signature: Signature, count: number, seed: number): readonly Row[] {
  const random = randomBits(seed);
  const { parameters } = signature;
  const rows: Row[] = [];
  const others = (): (bigint | readonly bigint[])[] => parameters.map((slot) => argument(signature, slot, random));
  const values = parameters.map((slot) => (/^(f|i)\d/.test(slot) && !isOrder(signature, slot) ? edgeBits(slot) : []));
  values.forEach((list, i) => {
    for (const value of list) rows.push(others().map((other, k) => (k === i ? value : other)));
  });
  if (values.length >= 2 && values[0]!.length > 0 && values[1]!.length > 0)
    for (let pairs = 0; pairs < 300; pairs++)
      rows.push(others().map((other, k) => (k < 2 ? values[k]![random() % values[k]!.length]! : other)));
  for (let i = 0; i < count; i++) rows.push(others());
  return rows;
}

const isOrder = ({ name }: Signature, slot: Slot): boolean =>
  slot === "i32" && (name in orders || name.includes("norm"));
