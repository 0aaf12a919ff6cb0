// Logic, shifts, comparison and selection: PTX ISA 9.0 sections 9.7.6 to 9.7.8.

import type { PlainName } from "../../../../formats/wasm/index.js";
import { hasModifier, modifier, type Opcode, typeOf } from "../../../isa/opcode.js";
import type { DataType } from "../../../isa/types.table.js";
import { isInteger } from "../../meanings/meaning.js";
import type { Lanes } from "../lanes.js";
import { flush } from "./bounds.js";
import {
  eachLane32,
  eachLane64,
  type Emit,
  HALVES,
  immediateOf,
  type Lowering,
  type Lowerings,
  on32,
  on64,
  viewOf,
} from "./lowering.js";

const bitwise =
  (name: PlainName, arity: 1 | 2): Lowering =>
  (opcode) => {
    switch (typeOf(opcode)?.bits) {
      case 1:
        return (lanes) => {
          for (let i = 1; i <= arity; i++) lanes.pushPredicate(lanes.operand(i));
          lanes.code.op(name);
          lanes.writePredicate(lanes.operand(0));
        };
      case 16:
      case 32:
        return on32(arity, name);
      case 64:
        return on64(arity, name);
      default:
        return undefined;
    }
  };

// --------------------------------------------------------------------------------------------------------------- shifts

type ShiftName = "shl" | "shr_s" | "shr_u";

/**
 * Shifts all lanes at once by a constant, or lane by lane by a register. Amounts beyond the width leave only copies of the sign,
 * or zeros.
 */
const shift =
  (isLeft: boolean): Lowering =>
  (opcode) => {
    const type = typeOf(opcode)!;
    const name: ShiftName = isLeft ? "shl" : type.class === "signed" ? "shr_s" : "shr_u";
    const isWide = type.bits === 64;
    const most = isWide ? 63 : 31;
    const vector = isWide ? ("i64x2" as const) : ("i32x4" as const);
    const byRegister = isWide
      ? eachLane64(1, 1, shiftLane("i64", name, most))
      : shiftLanes(name, isLeft ? "u32" : viewOf(type));
    return (lanes) => {
      const amount = immediateOf(lanes.operand(2));
      if (amount === undefined) {
        byRegister(lanes);
        return;
      }
      for (const half of isWide ? HALVES : ([0] as const)) {
        if (isWide) lanes.push64(lanes.operand(1), half);
        else lanes.pushView(lanes.operand(1), isLeft ? "u32" : viewOf(type));
        if (amount <= most) lanes.code.i32(amount).op(`${vector}.${name}`);
        else if (name === "shr_s") lanes.code.i32(most).op(`${vector}.shr_s`);
        else lanes.code.op("drop").words(0);
        if (isWide) lanes.write64(lanes.operand(0), half);
        else lanes.write32(lanes.operand(0), type.class === "signed" ? "s" : "u");
      }
    };
  };

const shiftLanes = (name: ShiftName, view: ReturnType<typeof viewOf>): Emit =>
  eachLane32([view, "u32"], shiftLane("i32", name, 31));

/** Shifts one lane; the value and an i32 amount are on the stack. */
const shiftLane =
  (value: "i32" | "i64", name: ShiftName, most: number) =>
  (lanes: Lanes): void => {
    const { code } = lanes;
    const amount = lanes.temporary("i32");
    code.set(amount).get(amount);
    if (name === "shr_s") code.i32(most).get(amount).i32(most).op("i32.lt_u", "select");
    if (value === "i64") code.op("i64.extend_i32_u");
    code.op(`${value}.${name}`);
    if (name === "shr_s") return;
    if (value === "i64") code.i64(0n);
    else code.i32(0);
    code.get(amount).i32(most).op("i32.le_u", "select");
  };

/** Funnel shifts: all lanes at once by a constant, lane by lane by a register. */
const shf: Lowering = (opcode) => (lanes) => {
  const [low, high, count] = [lanes.operand(1), lanes.operand(2), lanes.operand(3)];
  const isLeft = hasModifier(opcode, "l");
  const wraps = hasModifier(opcode, "wrap");
  const immediate = immediateOf(count);
  const { code } = lanes;
  if (immediate === undefined) {
    funnelLanes(isLeft, wraps)(lanes);
    return;
  }
  const amount = wraps ? immediate & 31 : Math.min(immediate, 32);
  // The result is the upper word of both words shifted left; a right shift by n is a left shift by 32 - n.
  const left = isLeft ? amount : 32 - amount;
  if (left === 0) lanes.push32(high);
  else if (left === 32) lanes.push32(low);
  else {
    lanes.push32(high);
    code.i32(left).op("i32x4.shl");
    lanes.push32(low);
    code.i32(32 - left).op("i32x4.shr_u", "v128.or");
  }
  lanes.write32(lanes.operand(0));
};

/** Funnel shifts as 64-bit shifts of each lane's two words. */
const funnelLanes = (isLeft: boolean, wraps: boolean): Emit =>
  eachLane32(["u32", "u32", "u32"], (lanes) => {
    const { code } = lanes;
    const [low, amount] = [lanes.temporary("i64"), lanes.temporary("i32")];
    code.set(amount);
    const high = lanes.temporary("i32");
    code.set(high).op("i64.extend_i32_u").set(low);
    if (wraps) code.get(amount).i32(31).op("i32.and").set(amount);
    else code.get(amount).i32(32).get(amount).i32(32).op("i32.lt_u", "select").set(amount);
    code.get(high).op("i64.extend_i32_u").i64(32n).op("i64.shl").get(low).op("i64.or");
    code.get(amount).op("i64.extend_i32_u");
    if (isLeft) code.op("i64.shl").i64(32n).op("i64.shr_u");
    else code.op("i64.shr_u");
    code.op("i32.wrap_i64");
  });

// ---------------------------------------------------------------------------------------------------------------- lop3

/** Pushes a function of two operands, given by its table of four bits; bit 2b + c is its value. */
function pushOfTwo(lanes: Lanes, table: number, b: () => void, c: () => void): void {
  const { code } = lanes;
  const not = (): void => void code.op("v128.not");
  const both = (name: PlainName): void => {
    b();
    c();
    code.op(name);
  };
  const ways: readonly (() => void)[] = [
    () => code.words(0),
    () => (both("v128.or"), not()),
    () => (c(), b(), code.op("v128.andnot")),
    () => (b(), not()),
    () => (b(), c(), code.op("v128.andnot")),
    () => (c(), not()),
    () => both("v128.xor"),
    () => (both("v128.and"), not()),
    () => both("v128.and"),
    () => (both("v128.xor"), not()),
    () => c(),
    () => (b(), c(), code.op("v128.andnot"), not()),
    () => b(),
    () => (c(), b(), code.op("v128.andnot"), not()),
    () => both("v128.or"),
    () => code.words(-1),
  ];
  ways[table]!();
}

const lop3: Lowering = (opcode) => {
  if (modifier(opcode, "bool") !== undefined) return undefined;
  return (lanes) => {
    const table = immediateOf(lanes.operand(4))! & 255;
    const [b, c] = [2, 3].map((i) => (): void => lanes.push32(lanes.operand(i)));
    const [without, having] = [table & 15, table >>> 4];
    if (without === having) pushOfTwo(lanes, having, b!, c!);
    else {
      pushOfTwo(lanes, having, b!, c!);
      pushOfTwo(lanes, without, b!, c!);
      lanes.push32(lanes.operand(1));
      lanes.code.op("v128.bitselect");
    }
    lanes.write32(lanes.operand(0));
  };
};

// ---------------------------------------------------------------------------------------------------------- comparisons

type Signed = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

/** lo, ls, hi, hs are unsigned comparisons of untyped integers. */
const unsignedNames: Readonly<Record<string, Signed>> = { lo: "lt", ls: "le", hi: "gt", hs: "ge" };

const narrowCompare =
  (operator: string, signed: boolean, view: ReturnType<typeof viewOf>): Emit =>
  (lanes) => {
    lanes.pushView(lanes.operand(1), view);
    lanes.pushView(lanes.operand(2), view);
    const name = unsignedNames[operator] ?? (operator as Signed);
    const suffix = name === "eq" || name === "ne" ? "" : signed && unsignedNames[operator] === undefined ? "_s" : "_u";
    lanes.code.op(`i32x4.${name}${suffix}` as PlainName);
  };

/** Compares 64-bit words, two lanes at a time, to one word per lane. */
const wideCompare =
  (operator: string, signed: boolean): Emit =>
  (lanes) => {
    const name = unsignedNames[operator] ?? (operator as Signed);
    const isOrdered = name !== "eq" && name !== "ne";
    const flips = isOrdered && (!signed || unsignedNames[operator] !== undefined);
    for (const half of HALVES) {
      for (const i of [1, 2]) {
        lanes.push64(lanes.operand(i), half);
        // Only signed comparisons exist; with the top bits inverted they compare as unsigned.
        if (flips) lanes.code.longs(-(2n ** 63n)).op("v128.xor");
      }
      lanes.code.op(isOrdered ? `i64x2.${name as "lt" | "le" | "gt" | "ge"}_s` : `i64x2.${name as "eq" | "ne"}`);
    }
    lanes.code.shuffleWords([0, 2, 4, 6]);
  };

/** Comparisons as the host's instruction and whether its result is negated. */
const floatCompares: Readonly<Record<string, readonly [name: Signed, turned: boolean]>> = {
  eq: ["eq", false],
  lt: ["lt", false],
  le: ["le", false],
  gt: ["gt", false],
  ge: ["ge", false],
  neu: ["ne", false],
  ltu: ["ge", true],
  leu: ["gt", true],
  gtu: ["le", true],
  geu: ["lt", true],
};

/** Pushes comparisons without an instruction of their own: ne is x < y or x > y, equ its negation; num and nan. */
function pushSpecialCompare(operator: string, vector: "f32x4" | "f64x2", push: (i: 1 | 2) => void, lanes: Lanes): void {
  const { code } = lanes;
  const pair = (name: Signed, a: 1 | 2, b: 1 | 2): void => {
    push(a);
    push(b);
    code.op(`${vector}.${name}`);
  };
  switch (operator) {
    case "ne":
    case "equ":
      pair("lt", 1, 2);
      pair("gt", 1, 2);
      code.op("v128.or");
      if (operator === "equ") code.op("v128.not");
      break;
    default:
      pair("eq", 1, 1);
      pair("eq", 2, 2);
      code.op("v128.and");
      if (operator === "nan") code.op("v128.not");
  }
}

/** Pushes the comparison of two floats; `push` pushes them. */
export function pushComparison(
  operator: string,
  vector: "f32x4" | "f64x2",
  push: (i: 1 | 2) => void,
  lanes: Lanes,
): void {
  const known = floatCompares[operator];
  if (known === undefined) {
    pushSpecialCompare(operator, vector, push, lanes);
    return;
  }
  push(1);
  push(2);
  lanes.code.op(`${vector}.${known[0]}`);
  if (known[1]) lanes.code.op("v128.not");
}

const floatCompare =
  (operator: string, isDouble: boolean, ftz: boolean): Emit =>
  (lanes) => {
    for (const half of isDouble ? HALVES : ([0] as const)) {
      const push = (i: 1 | 2): void => {
        if (isDouble) lanes.push64(lanes.operand(i), half);
        else lanes.pushFloat(lanes.operand(i));
        if (ftz) flush(lanes);
      };
      pushComparison(operator, isDouble ? "f64x2" : "f32x4", push, lanes);
    }
    if (isDouble) lanes.code.shuffleWords([0, 2, 4, 6]);
  };

export const combinations: Readonly<Record<string, PlainName>> = { and: "v128.and", or: "v128.or", xor: "v128.xor" };

/** Pushes the comparison of operands of that type; undefined for halves. */
export function comparisonOf(opcode: Opcode, type: DataType): Emit | undefined {
  const operator = modifier(opcode, "cmp")!;
  if (type.lanes !== 1) return undefined;
  if (isInteger(type))
    return type.bits === 64
      ? wideCompare(operator, type.class === "signed")
      : narrowCompare(operator, type.class === "signed", viewOf(type));
  return type.name === "f32" || type.name === "f64"
    ? floatCompare(operator, type.name === "f64", hasModifier(opcode, "ftz"))
    : undefined;
}

const setp: Lowering = (opcode) => {
  const bool = modifier(opcode, "bool");
  const compare = comparisonOf(opcode, typeOf(opcode)!);
  if (compare === undefined) return undefined;
  return (lanes) => {
    compare(lanes);
    if (bool !== undefined) {
      lanes.pushPredicate(lanes.operand(3));
      lanes.code.op(combinations[bool]!);
    }
    lanes.writePredicate(lanes.operand(0));
  };
};

const selp: Lowering = (opcode) => {
  const { bits } = typeOf(opcode)!;
  if (bits !== 64)
    return (lanes) => {
      lanes.push32(lanes.operand(1));
      lanes.push32(lanes.operand(2));
      lanes.pushPredicate(lanes.operand(3));
      lanes.code.op("v128.bitselect");
      lanes.write32(lanes.operand(0));
    };
  return (lanes) => {
    const { code } = lanes;
    const chosen = lanes.temporary("v128");
    lanes.pushPredicate(lanes.operand(3));
    code.set(chosen);
    for (const half of HALVES) {
      lanes.push64(lanes.operand(1), half);
      lanes.push64(lanes.operand(2), half);
      code
        .get(chosen)
        .get(chosen)
        .shuffleWords(half === 0 ? [0, 0, 1, 1] : [2, 2, 3, 3]);
      code.op("v128.bitselect");
      lanes.write64(lanes.operand(0), half);
    }
  };
};

export const logicLowerings: Lowerings = {
  and: bitwise("v128.and", 2),
  or: bitwise("v128.or", 2),
  xor: bitwise("v128.xor", 2),
  not: bitwise("v128.not", 1),
  shl: shift(true),
  shr: shift(false),
  shf,
  lop3,
  setp,
  selp,
};
