// Bits and bytes within a register: PTX ISA 9.0 sections 9.7.1.15 to 9.7.1.21 (bfind, brev, bfe, bfi) and 9.7.9.7 (prmt).

import type { CodeWriter } from "../../../../formats/wasm/index.js";
import { hasModifier, modifier } from "../../../isa/opcode.js";

import type { Lanes } from "../lanes.js";
import {
  eachLane32,
  type Emit,
  HALVES,
  immediateOf,
  integers,
  type Lowering,
  type Lowerings,
  narrowed,
} from "./lowering.js";

/** Position of the highest bit that differs from the sign, or its distance from the top; -1 if there is none. */
const bfind = integers((type, opcode) => {
  const signed = type.class === "signed";
  const asShift = hasModifier(opcode, "shiftamt");
  const value = type.bits === 64 ? "i64" : "i32";
  const scalar = (lanes: Lanes): void => {
    const { code } = lanes;
    const [x, zeros] = [lanes.temporary(value), lanes.temporary("i32")];
    const constant = (n: number): void => void (value === "i64" ? code.i64(BigInt(n)) : code.i32(n));
    code.set(x);
    if (signed) {
      code.get(x).get(x);
      constant(type.bits - 1);
      code.op(`${value}.shr_s`, `${value}.xor`).set(x);
    }
    code.get(x).op(`${value}.clz`);
    if (value === "i64") code.op("i32.wrap_i64");
    code.set(zeros);
    if (asShift) {
      code.i32(-1).get(zeros).get(x).op(`${value}.eqz`, "select");
    } else
      code
        .i32(type.bits - 1)
        .get(zeros)
        .op("i32.sub");
  };
  return type.bits === 64 ? narrowed(scalar) : eachLane32(["u32"], scalar);
});

/** Swaps adjacent bits, pairs and nibbles, then the bytes. */
const brev = integers((type) => (lanes) => {
  const { code } = lanes;
  const isWide = type.bits === 64;
  for (const half of isWide ? HALVES : ([0] as const)) {
    const value = lanes.temporary("v128");
    if (isWide) lanes.push64(lanes.operand(1), half);
    else lanes.push32(lanes.operand(1));
    for (const [count, mask] of [
      [1, 0x55555555],
      [2, 0x33333333],
      [4, 0x0f0f0f0f],
    ] as const) {
      code.tee(value).i32(count).op("i32x4.shr_u").words(mask).op("v128.and");
      code.get(value).words(mask).op("v128.and").i32(count).op("i32x4.shl", "v128.or");
    }
    code.tee(value).get(value);
    code.shuffle(Array.from({ length: 16 }, (_, i) => i ^ (type.bits / 8 - 1)));
    if (isWide) lanes.write64(lanes.operand(0), half);
    else lanes.write32(lanes.operand(0));
  }
});

/** Moves `count` values from the stack to locals, each reduced to its lowest byte. */
function lowBytes(lanes: Lanes, count: number): readonly number[] {
  const locals = Array.from({ length: count }, () => lanes.temporary("i32"));
  for (const local of [...locals].reverse()) lanes.code.i32(255).op("i32.and").set(local);
  return locals;
}

/** Pushes a mask of `length` ones, at most 32. */
const pushOnes = (code: CodeWriter, length: number): void =>
  void code.i32(-1).i32(1).get(length).op("i32.shl").i32(1).op("i32.sub").get(length).i32(31).op("i32.gt_u", "select");

const unsignedField = (lanes: Lanes): void => {
  const { code } = lanes;
  const [start, length] = lowBytes(lanes, 2) as [number, number];
  code.get(start).op("i32.shr_u");
  pushOnes(code, length);
  code.op("i32.and").i32(0).get(start).i32(32).op("i32.lt_u", "select");
};

/** The field's top bit is its sign; bits beyond the register's top are copies of the sign. */
const signedField = (lanes: Lanes): void => {
  const { code } = lanes;
  const [start, length] = lowBytes(lanes, 2) as [number, number];
  const [value, width] = [lanes.temporary("i32"), lanes.temporary("i32")];
  code.set(value).i32(32).get(start).op("i32.sub").tee(width).get(length).get(width).get(length);
  code.op("i32.lt_s", "select").set(width);
  code.get(value).i32(32).get(start).op("i32.sub").get(width).op("i32.sub", "i32.shl");
  code.i32(32).get(width).op("i32.sub", "i32.shr_s");
  code.get(value).i32(31).op("i32.shr_s").get(width).i32(0).op("i32.gt_s", "select");
  code.i32(0).get(length).op("select");
};

const insertField = (lanes: Lanes): void => {
  const { code } = lanes;
  const [start, length] = lowBytes(lanes, 2) as [number, number];
  const [field, into, mask] = [0, 1, 2].map(() => lanes.temporary("i32")) as [number, number, number];
  code.set(into).set(field);
  pushOnes(code, length);
  code.get(start).op("i32.shl").set(mask);
  code.get(into).get(field).get(start).op("i32.shl").get(into).op("i32.xor").get(mask).op("i32.and", "i32.xor");
  code.get(into).get(start).i32(32).op("i32.lt_u", "select");
};

/** Position and length of a field: whole words in the 64-bit forms, low bytes in the others (../../../base/num/bitfield.ts). */
const fieldOf = (position: number, length: number, isWide: boolean): readonly [number, number] =>
  isWide ? [Math.min(position, 64), Math.min(length, 64)] : [position & 255, length & 255];

/** bfe with constant position and length, or with those of each lane. */
const bfe: Lowering = (opcode, site) =>
  integers((type) => {
    const [position, length] = [2, 3].map((i) => immediateOf(site.operands[i]));
    const signed = type.class === "signed";
    const isWide = type.bits === 64;
    if (position === undefined || length === undefined)
      return isWide
        ? undefined
        : eachLane32(["u32", "u32", "u32"], signed ? signedField : unsignedField, signed ? "s" : "u");
    const [start, size] = fieldOf(position, length, isWide);
    const bits = Math.min(size, type.bits - start);
    const vector = isWide ? "i64x2" : "i32x4";
    return (lanes) => {
      for (const half of isWide ? HALVES : ([0] as const)) {
        const { code } = lanes;
        if (isWide) lanes.push64(lanes.operand(1), half);
        else lanes.push32(lanes.operand(1));
        // Bits beyond the register's top are copies of the sign.
        if (size === 0 || (bits <= 0 && !signed)) code.op("drop").words(0);
        else if (bits <= 0) code.i32(type.bits - 1).op(`${vector}.shr_s`);
        else {
          code.i32(type.bits - start - bits).op(`${vector}.shl`);
          code.i32(type.bits - bits).op(`${vector}.shr_${signed ? "s" : "u"}`);
        }
        if (isWide) lanes.write64(lanes.operand(0), half);
        else lanes.write32(lanes.operand(0), signed ? "s" : "u");
      }
    };
  })(opcode, site);

const bfi: Lowering = (opcode, site) =>
  integers((type) => {
    const [position, length] = [3, 4].map((i) => immediateOf(site.operands[i]));
    const isWide = type.bits === 64;
    if (position === undefined || length === undefined)
      return isWide ? undefined : eachLane32(["u32", "u32", "u32", "u32"], insertField);
    const [start, size] = fieldOf(position, length, isWide);
    const field = BigInt.asUintN(type.bits, ((1n << BigInt(size)) - 1n) << BigInt(start));
    return (lanes) => {
      const { code } = lanes;
      for (const half of isWide ? HALVES : ([0] as const)) {
        const push = (i: number): void =>
          isWide ? lanes.push64(lanes.operand(i), half) : lanes.push32(lanes.operand(i));
        push(1);
        // A field beyond the top is empty, whatever is shifted.
        code.i32(start % type.bits).op(isWide ? "i64x2.shl" : "i32x4.shl");
        push(2);
        if (isWide) code.longs(field);
        else code.words(Number(BigInt.asIntN(32, field)));
        code.op("v128.bitselect");
        if (isWide) lanes.write64(lanes.operand(0), half);
        else lanes.write32(lanes.operand(0));
      }
    };
  })(opcode, site);

/** prmt by a constant that picks bytes and copies no signs is a shuffle. */
const prmt: Lowering = (opcode, { operands }) => {
  if (modifier(opcode, "mode") !== undefined) return undefined;
  const selector = immediateOf(operands[3]);
  if (selector === undefined) return pickBytes;
  const nibbles = [0, 1, 2, 3].map((i) => (selector >>> (4 * i)) & 15);
  if (nibbles.some((nibble) => nibble > 7)) return pickBytes;
  const bytes = [0, 1, 2, 3].flatMap((lane) => nibbles.map((n) => (n < 4 ? 0 : 16) + 4 * lane + (n & 3)));
  return (lanes) => {
    lanes.push32(lanes.operand(1));
    lanes.push32(lanes.operand(2));
    lanes.code.shuffle(bytes);
    lanes.write32(lanes.operand(0));
  };
};

/** The selector's nibbles become bytes, which pick from the lane's bytes of either operand. */
const pickBytes: Emit = (lanes) => {
  const { code } = lanes;
  const [nibbles, place, other, picked] = [0, 1, 2, 3].map(() => lanes.temporary("v128")) as [
    number,
    number,
    number,
    number,
  ];
  lanes.push32(lanes.operand(3));
  code.words(0xffff).op("v128.and").tee(nibbles).get(nibbles).i32(8).op("i32x4.shl", "v128.or");
  code.words(0x00ff00ff).op("v128.and").tee(nibbles).get(nibbles).i32(4).op("i32x4.shl", "v128.or");
  code.words(0x0f0f0f0f).op("v128.and").set(nibbles);
  code.get(nibbles).words(0x03030303).op("v128.and").v128([0, 0x04040404, 0x08080808, 0x0c0c0c0c]).op("v128.or");
  code.set(place);
  // The top bit makes the index invalid, and swizzle then gives zero.
  code.get(nibbles).words(0x04040404).op("v128.and").i32(5).op("i32x4.shl").set(other);
  lanes.push32(lanes.operand(1));
  code.get(place).get(other).op("v128.or", "i8x16.swizzle");
  lanes.push32(lanes.operand(2));
  code.get(place).get(other).op("v128.or").words(-0x7f7f7f80).op("v128.xor", "i8x16.swizzle", "v128.or").set(picked);
  code.get(picked).i32(7).op("i8x16.shr_s").get(picked);
  code.get(nibbles).i32(4).op("i8x16.shl").i32(7).op("i8x16.shr_s", "v128.bitselect");
  lanes.write32(lanes.operand(0));
};

export const bitLowerings: Lowerings = { bfind, brev, bfe, bfi, prmt };
