// Updates of atom and red as code on one lane's scalars: equal to those of ../meanings/atomic.ts, and the host's own atomic
// instruction where one exists.

import type { CodeWriter, Local, MemoryName, PlainName, ValueType } from "../../../formats/wasm/index.js";
import { F32_NAN_BITS, F64_NAN_BITS } from "../../base/num/bits.js";
import { hasModifier, type Opcode } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { sumOfHalves } from "./lower/half.js";
import { operationOf } from "../meanings/atomic.js";

/** Locals with the value in memory and the operands, and one free local of each type. */
export interface UpdateLocals {
  readonly old: Local;
  readonly b: Local;
  readonly c: Local;
  readonly scratch: (type: ValueType) => Local;
  /** Calls the function of generated code of that name; `make` creates it once in a module. */
  readonly call: (name: string, make: () => CodeWriter) => void;
}

export interface AtomicUpdate {
  /** Pushes the new value. */
  readonly push: (code: CodeWriter, locals: UpdateLocals) => void;
  /** The host's atomic instruction: takes the address and the operands from the stack, pushes the old value. */
  readonly whole: MemoryName | undefined;
}

type Width = "i32" | "i64";
type Push = AtomicUpdate["push"];

const applied =
  (name: PlainName): Push =>
  (code, { old, b }) =>
    code.get(old).get(b).op(name);

/** The old value where the comparison of it with the operand holds, else the operand. */
const pickedBy =
  (name: PlainName): Push =>
  (code, { old, b }) =>
    code.get(old).get(b).get(old).get(b).op(name, "select");

/** old >= b ? 0 : old + 1 */
const increment: Push = (code, { old, b }) =>
  code.i32(0).get(old).i32(1).op("i32.add").get(old).get(b).op("i32.ge_u", "select");

/** old == 0 || old > b ? b : old - 1 */
const decrement: Push = (code, { old, b }) => {
  code.get(b).get(old).i32(1).op("i32.sub");
  code.get(old).op("i32.eqz").get(old).get(b).op("i32.gt_u", "i32.or", "select");
};

const compared =
  (width: Width): Push =>
  (code, { old, b, c }) =>
    code.get(c).get(old).get(old).get(b).op(`${width}.eq`, "select");

/** Replaces a subnormal f32, given as bits on the stack, by a zero of its sign. */
function flushBits(code: CodeWriter, bits: Local): void {
  code.tee(bits).i32(-1).i32(-0x80000000).get(bits).i32(0x7f800000).op("i32.and", "select", "i32.and");
}

function addSingles(flushes: boolean): Push {
  return (code, { old, b, scratch }) => {
    const [bits, sum] = [scratch("i32"), scratch("f32")];
    for (const operand of [old, b]) {
      code.get(operand);
      if (flushes) flushBits(code, bits);
      code.op("f32.reinterpret_i32");
    }
    code.op("f32.add").tee(sum).op("i32.reinterpret_f32");
    if (flushes) flushBits(code, bits);
    code.i32(F32_NAN_BITS).get(sum).get(sum).op("f32.eq", "select");
  };
}

/**
 * The NaN of a sum. In shared memory: the NaN in memory, else the operand's, made quiet. In global memory: the operand's, else
 * that in memory, with its bits unchanged.
 */
const addDoubles =
  (isShared: boolean): Push =>
  (code, { old, b, scratch }) => {
    const sum = scratch("f64");
    const isNumber = (bits: Local): void =>
      void code.get(bits).op("f64.reinterpret_i64").get(bits).op("f64.reinterpret_i64", "f64.eq");
    code.get(old).op("f64.reinterpret_i64").get(b).op("f64.reinterpret_i64", "f64.add").tee(sum);
    code.op("i64.reinterpret_f64");
    code.i64(F64_NAN_BITS);
    for (const bits of isShared ? [b, old] : [old, b]) {
      code.get(bits);
      if (isShared) code.i64(0x0008_0000_0000_0000n).op("i64.or");
      isNumber(bits);
      code.op("select");
    }
    code.get(sum).get(sum).op("f64.eq", "select");
  };

/** Adds halves in one lane's word by the function that adds four words. */
const addHalves = (name: string, make: () => CodeWriter): AtomicUpdate => ({
  push: (code, { old, b, call }) => {
    code.get(old).op("i32x4.splat").get(b).op("i32x4.splat");
    call(`atom.add.${name}`, make);
    code.lane("i32x4.extract_lane", 0);
  },
  whole: undefined,
});

const rmw = (width: Width, name: "add" | "and" | "or" | "xor" | "xchg" | "cmpxchg"): MemoryName =>
  `${width}.atomic.rmw.${name}`;

/** Updates keyed by operation, or by operation and type where the type matters. */
function updatesOf(width: Width): Readonly<Record<string, AtomicUpdate>> {
  const bits = width.slice(1);
  const own = (name: "add" | "and" | "or" | "xor"): AtomicUpdate => ({
    push: applied(`${width}.${name}`),
    whole: rmw(width, name),
  });
  const loop = (push: Push): AtomicUpdate => ({ push, whole: undefined });
  return {
    add: own("add"),
    and: own("and"),
    or: own("or"),
    xor: own("xor"),
    exch: { push: (code, { b }) => void code.get(b), whole: rmw(width, "xchg") },
    cas: { push: compared(width), whole: rmw(width, "cmpxchg") },
    [`min.s${bits}`]: loop(pickedBy(`${width}.lt_s`)),
    [`max.s${bits}`]: loop(pickedBy(`${width}.gt_s`)),
    [`min.u${bits}`]: loop(pickedBy(`${width}.lt_u`)),
    [`max.u${bits}`]: loop(pickedBy(`${width}.gt_u`)),
  };
}

const updates: Readonly<Record<16 | 32 | 64, Readonly<Record<string, AtomicUpdate>>>> = {
  16: { cas: { push: compared("i32"), whole: "i32.atomic.rmw16.cmpxchg_u" } },
  32: {
    ...updatesOf("i32"),
    inc: { push: increment, whole: undefined },
    dec: { push: decrement, whole: undefined },
    // "On global memory flushes subnormal inputs and results"; not on shared memory.
    "add.f32": { push: addSingles(true), whole: undefined },
    "shared.add.f32": { push: addSingles(false), whole: undefined },
  },
  64: {
    ...updatesOf("i64"),
    "add.f64": { push: addDoubles(false), whole: undefined },
    "shared.add.f64": { push: addDoubles(true), whole: undefined },
  },
};

/** Types for which a row without a type serves; others need a row of their own. */
const hasDefaultUpdate = ({ class: kind }: DataType): boolean =>
  kind === "unsigned" || kind === "signed" || kind === "bits";

/** The update of an opcode; undefined if only the meaning implements it. */
export function updateOf(opcode: Opcode, type: DataType, isShared: boolean): AtomicUpdate | undefined {
  const operation = operationOf(opcode);
  if (operation === undefined || (type.bits !== 16 && type.bits !== 32 && type.bits !== 64)) return undefined;
  const ofHalves = operation === "add" ? sumOfHalves(opcode) : undefined;
  if (ofHalves !== undefined) return addHalves(type.name, ofHalves);
  if (type.lanes !== 1) return undefined;
  const table = updates[type.bits];
  const typed = `${operation}.${type.name}`;
  // With .noftz, subnormal f32 values are kept in global memory, too.
  const isKept = isShared || hasModifier(opcode, "noftz");
  return (
    (isKept ? table[`shared.${typed}`] : undefined) ??
    table[typed] ??
    (hasDefaultUpdate(type) ? table[operation] : undefined)
  );
}
