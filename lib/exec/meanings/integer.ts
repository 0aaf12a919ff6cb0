// Integer arithmetic: PTX ISA 9.0 section 9.7.1. Results are written modulo the register's size, so most functions need not
// truncate them.

import * as bits from "../../base/num/bitfield.js";
import * as integer from "../../base/num/integer.js";
import { hasModifier, type Opcode, typeOf, typesOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import type { ScalarFunction, View } from "../machine/lanes.js";
import { either, integerView, isInteger, type Meaning, type Meanings, type Reading, scalar } from "./meaning.js";
import { add64, mad64, madWide32, mul64, mulWide32, sub64 } from "./pairs.js";

type Binary = (a: number, b: number) => number;

/** A reading for integer types of one lane; `make` receives the type. */
const integers =
  (make: (type: DataType, opcode: Opcode) => Meaning | undefined): Reading =>
  (opcode) => {
    const type = typeOf(opcode);
    return type !== undefined && isInteger(type) && type.lanes === 1 ? make(type, opcode) : undefined;
  };

/** Operands and result of the instruction's type. */
const same = (type: DataType, arity: number, fn: ScalarFunction): Meaning => {
  const view = integerView(type);
  return scalar(view, new Array<View>(arity).fill(view), fn);
};

/** One function for widths up to 32 bits, and one for 64. */
const perWidth = (arity: number, narrow: ScalarFunction, wide: ScalarFunction): Reading =>
  integers((type) => same(type, arity, type.bits === 64 ? wide : narrow));

/** One function for each type. */
const perType = (arity: number, byType: Readonly<Record<string, ScalarFunction>>): Reading =>
  integers((type) => {
    const fn = byType[type.name];
    return fn && same(type, arity, fn);
  });

/** An operation on each 16-bit half, or byte, of packed operands. */
const packed =
  (make: (opcode: Opcode) => Binary): Reading =>
  (opcode) => {
    const type = typeOf(opcode);
    if (type === undefined || !isInteger(type) || type.lanes === 1) return undefined;
    const fn = hasModifier(opcode, "sat") ? saturatingLanes(type, make(opcode)) : make(opcode);
    const signed = type.class === "signed";
    if (type.lanes === 4) return scalar("s32", ["s32", "s32"], inBytes(fn, signed));
    const low = (x: number): number => (signed ? (x << 16) >> 16 : x & 0xffff);
    const high = (x: number): number => (signed ? x >> 16 : x >>> 16);
    return scalar(
      "s32",
      ["s32", "s32"],
      (a: number, b: number) => (fn(high(a), high(b)) << 16) | (fn(low(a), low(b)) & 0xffff),
    );
  };

/** Applies `fn` to each byte of the operands. */
const inBytes =
  (fn: Binary, signed: boolean): Binary =>
  (a, b) => {
    let result = 0;
    for (let shift = 0; shift < 32; shift += 8) {
      const [x, y] = signed
        ? [(a << (24 - shift)) >> 24, (b << (24 - shift)) >> 24]
        : [(a >>> shift) & 0xff, (b >>> shift) & 0xff];
      result |= (fn(x, y) & 0xff) << shift;
    }
    return result;
  };

/** .sat of packed integers: clamps to the range of an element. */
function saturatingLanes({ bits: whole, lanes, class: sign }: DataType, fn: Binary): Binary {
  const size = 2 ** (whole / lanes);
  const [least, most] = sign === "signed" ? [-size / 2, size / 2 - 1] : [0, size - 1];
  return (a, b) => Math.min(Math.max(fn(a, b), least), most);
}

// ------------------------------------------------------------------------------------------------------- add, mul, mad

/** .sat of add and sub. */
function saturating(type: DataType, fn: Binary): Meaning | undefined {
  if (type.name === "s32") return same(type, 2, (a: number, b: number) => integer.saturateS32(fn(a, b)));
  if (type.name !== "u32") return undefined;
  return same(type, 2, (a: number, b: number) => Math.min(Math.max(fn(a, b), 0), 0xffffffff));
}

/** clmad (PTX ISA 9.3): the upper or lower half of a product without carries, plus c without carries. */
const clmad: Reading = (opcode) => {
  const upper = hasModifier(opcode, "hi") ? 64n : 0n;
  return scalar("u64", ["u64", "u64", "u64"], (a: bigint, b: bigint, c: bigint) => {
    let product = 0n;
    for (let bit = 0n; bit < 64n; bit++) if ((a >> bit) & 1n) product ^= b << bit;
    return BigInt.asUintN(64, (product >> upper) ^ c);
  });
};

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  lo: (a, b) => a < b,
  le: (a, b) => a <= b,
  ls: (a, b) => a <= b,
  gt: (a, b) => a > b,
  hi: (a, b) => a > b,
  ge: (a, b) => a >= b,
  hs: (a, b) => a >= b,
};

/** set of packed integers: all bits of an element where the comparison holds. */
const setPacked = packed((opcode) => {
  const compare = comparisons[opcode.chosen[0]!]!;
  return (a, b) => (compare(a, b) ? -1 : 0);
});

const add = integers((type, opcode) => {
  if (hasModifier(opcode, "cc")) return undefined;
  if (hasModifier(opcode, "sat")) return saturating(type, (a, b) => a + b);
  return type.bits === 64 ? add64 : same(type, 2, (a: number, b: number) => (a + b) | 0);
});

const sub = integers((type, opcode) => {
  if (hasModifier(opcode, "cc")) return undefined;
  if (hasModifier(opcode, "sat")) return saturating(type, (a, b) => a - b);
  return type.bits === 64 ? sub64 : same(type, 2, (a: number, b: number) => (a - b) | 0);
});

const highProduct: Readonly<Record<string, ScalarFunction>> = {
  u16: integer.mulHiU16,
  s16: integer.mulHiS16,
  u32: integer.mulHiU32,
  s32: integer.mulHiS32,
  u64: integer.mulHiU64,
  s64: integer.mulHiS64,
};

const mul = integers((type, opcode) => {
  const view = integerView(type);
  if (hasModifier(opcode, "wide")) {
    const signed = type.class === "signed";
    return type.bits === 32 ? mulWide32(signed) : scalar(signed ? "s32" : "u32", [view, view], Math.imul);
  }
  if (hasModifier(opcode, "hi")) return same(type, 2, highProduct[type.name]!);
  return type.bits === 64 ? mul64 : same(type, 2, Math.imul);
});

const multiplyAdd = (a: number, b: number, c: number): number => (Math.imul(a, b) + c) | 0;

const mad = integers((type, opcode) => {
  if (hasModifier(opcode, "cc")) return undefined;
  const view = integerView(type);
  if (hasModifier(opcode, "wide")) {
    const signed = type.class === "signed";
    if (type.bits === 32) return madWide32(signed);
    return scalar(signed ? "s32" : "u32", [view, view, signed ? "s32" : "u32"], multiplyAdd);
  }
  if (hasModifier(opcode, "hi")) {
    if (hasModifier(opcode, "sat")) return same(type, 3, integer.madHiSatS32);
    const high = highProduct[type.name]!;
    return type.bits === 64
      ? same(type, 3, (a: bigint, b: bigint, c: bigint) => (high(a, b) as bigint) + c)
      : same(type, 3, (a: number, b: number, c: number) => ((high(a, b) as number) + c) | 0);
  }
  return type.bits === 64 ? mad64 : same(type, 3, multiplyAdd);
});

const product24: Readonly<Record<string, Binary>> = {
  "lo.u32": integer.mul24LoU32,
  "lo.s32": integer.mul24LoS32,
  "hi.u32": integer.mul24HiU32,
  "hi.s32": integer.mul24HiS32,
};

const of24 = (type: DataType, opcode: Opcode): Binary =>
  product24[`${hasModifier(opcode, "hi") ? "hi" : "lo"}.${type.name}`]!;

const mad24 = integers((type, opcode) => {
  const product = of24(type, opcode);
  const settle = hasModifier(opcode, "sat") ? integer.saturateS32 : (x: number): number => x | 0;
  return same(type, 3, (a: number, b: number, c: number) => settle(product(a, b) + c));
});

// ------------------------------------------------------------------------------------------------------------ the rest

type Choose = <T extends number | bigint>(a: T, b: T) => T;

const extremum = (wantsLess: boolean): Reading => {
  const choose =
    (opcode: Opcode): Choose =>
    (a, b) => {
      const chosen = a < b === wantsLess ? a : b;
      return hasModifier(opcode, "relu") && chosen < 0 ? ((typeof chosen === "bigint" ? 0n : 0) as typeof a) : chosen;
    };
  const plain: Choose = wantsLess ? (a, b) => (a < b ? a : b) : (a, b) => (a < b ? b : a);
  const of = (opcode: Opcode): Choose => (hasModifier(opcode, "relu") ? choose(opcode) : plain);
  return either(
    integers((type, opcode) => same(type, 2, of(opcode))),
    packed((opcode) => of(opcode)),
  );
};

/** Results of 32 bits from operands of 32 or 64. */
const count = (narrow: ScalarFunction, wide: ScalarFunction): Reading =>
  integers((type) => scalar("u32", [type.bits === 64 ? "u64" : "u32"], type.bits === 64 ? wide : narrow));

const findBit: Readonly<Record<string, (x: never, asShift: boolean) => number>> = {
  u32: bits.bfindU32,
  s32: bits.bfindS32,
  u64: bits.bfindU64,
  s64: bits.bfindS64,
};

const bitField = (byType: Readonly<Record<string, ScalarFunction>>, fields: number): Reading =>
  integers((type) => {
    const fn = byType[type.name];
    const view = integerView(type);
    return fn && scalar(view, [...new Array<View>(fields).fill(view), "u32", "u32"], fn);
  });

const range = (opcode: Opcode): bits.OutOfRange => (hasModifier(opcode, "wrap") ? "wrap" : "clamp");

const dot =
  (fn: (a: number, b: number, c: number, half: "lo" | "hi", aSigned: boolean, bSigned: boolean) => number): Reading =>
  (opcode) => {
    const [aSigned, bSigned] = typesOf(opcode).map((type) => type.class === "signed");
    const half = hasModifier(opcode, "hi") ? "hi" : "lo";
    return scalar("s32", ["s32", "s32", "s32"], (a: number, b: number, c: number) =>
      fn(a, b, c, half, aSigned!, bSigned!),
    );
  };

export const integerMeanings: Meanings = {
  add: either(
    add,
    packed(() => (a, b) => a + b),
  ),
  sub: either(
    sub,
    packed(() => (a, b) => a - b),
  ),
  mul,
  mad,
  mul24: integers((type, opcode) => same(type, 2, of24(type, opcode))),
  mad24,
  sad: perType(3, {
    u16: integer.sadU32,
    s16: integer.sadS32,
    u32: integer.sadU32,
    s32: integer.sadS32,
    u64: integer.sadU64,
    s64: integer.sadS64,
  }),
  div: perType(2, {
    u16: integer.divU32,
    s16: integer.divS32,
    u32: integer.divU32,
    s32: integer.divS32,
    u64: integer.divU64,
    s64: integer.divS64,
  }),
  rem: perType(2, {
    u16: integer.remU32,
    s16: integer.remS32,
    u32: integer.remU32,
    s32: integer.remS32,
    u64: integer.rem64,
    s64: integer.rem64,
  }),
  abs: perWidth(1, Math.abs, (x: bigint) => (x < 0n ? -x : x)),
  neg: either(
    perWidth(
      1,
      (x: number) => -x | 0,
      (x: bigint) => -x,
    ),
    (opcode) => {
      if (typeOf(opcode)?.name !== "s8x4") return undefined;
      const negated = inBytes((_, b) => -b, true);
      return scalar("s32", ["s32"], (x: number) => negated(0, x));
    },
  ),
  clmad,
  "set.packed": setPacked,
  min: extremum(true),
  max: extremum(false),
  popc: count(bits.popc32, bits.popc64),
  clz: count(bits.clz32, bits.clz64),
  bfind: integers((type, opcode) => {
    const find = findBit[type.name] as (x: number | bigint, asShift: boolean) => number;
    const shift = hasModifier(opcode, "shiftamt");
    return scalar("u32", [integerView(type)], (x: number | bigint) => find(x, shift));
  }),
  fns: () => scalar("u32", ["u32", "u32", "s32"], bits.fns32),
  brev: perWidth(1, bits.brev32, bits.brev64),
  bfe: bitField({ u32: bits.bfeU32, s32: bits.bfeS32, u64: bits.bfeU64, s64: bits.bfeS64 }, 1),
  bfi: bitField({ b32: bits.bfi32, b64: bits.bfi64 }, 2),
  szext: integers((type, opcode) => {
    const fn = type.class === "signed" ? bits.szextS32 : bits.szextU32;
    const mode = range(opcode);
    return scalar(integerView(type), [integerView(type), "u32"], (x: number, width: number) => fn(x, width, mode));
  }),
  bmsk: (opcode) => {
    const mode = range(opcode);
    return scalar("u32", ["u32", "u32"], (start: number, width: number) => bits.bmsk32(start, width, mode));
  },
  dp4a: dot((a, b, c, _, aSigned, bSigned) => integer.dp4a(a, b, c, aSigned, bSigned)),
  dp2a: dot(integer.dp2a),
};
