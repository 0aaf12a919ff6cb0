// atom and red: PTX ISA 9.0 sections 9.7.13.6 and 9.7.13.7. Lanes execute one after the other in their order, so that each read
// and write is a single step, and all scopes and orderings hold. If other host threads run blocks of the launch, memory that they
// reach is updated by compare-and-exchange, repeated until no other update came between. Integers up to 32 bits and halves are
// represented by numbers, 64-bit integers by bigints.

import { F64_NAN_BITS, f32FromBits, f32ToBits, f64FromBits, f64ToBits } from "../../base/num/bits.js";
import { addF32 } from "../../base/num/f32.js";
import { isNaNBits, nanOperandF64 } from "../../base/num/f64.js";
import { flushF32 } from "../../base/num/rounding.js";
import { bf16, f16, inBothLanes2 } from "../../base/num/half.js";
import { hasModifier, type Opcode, typeOf } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import { bindAddress } from "../operands/access.js";
import type { Binder, Bound } from "../operands/binder.js";
import { exclusively } from "../machine/exclusively.js";
import type { Frame, Place } from "../state/frame.js";
import type { Spot } from "../state/warp.js";
import { custom, type Meaning, type Meanings, type Reading } from "./meaning.js";
import { spaceOfOpcode } from "./memory.js";

/** Old value and operands to new value, all unsigned bits. */
type Update<T> = (old: T, b: T, c: T) => T;

const inc: Update<number> = (old, b) => (old >= b ? 0 : old + 1);
const dec: Update<number> = (old, b) => (old === 0 || old > b ? b : old - 1);

const updates32: Readonly<Record<string, Update<number>>> = {
  add: (old, b) => old + b,
  // "On global memory flushes subnormal inputs and results", and generic addresses mostly mean that; not on shared memory.
  "add.f32": (old, b) => f32ToBits(flushF32(addF32.rn(flushF32(f32FromBits(old)), flushF32(f32FromBits(b))))),
  "shared.add.f32": (old, b) => f32ToBits(addF32.rn(f32FromBits(old), f32FromBits(b))),
  "add.f16": f16.add,
  "add.bf16": bf16.add,
  "add.f16x2": inBothLanes2(f16.add),
  "add.bf16x2": inBothLanes2(bf16.add),
  "min.f16": f16.min,
  "min.bf16": bf16.min,
  "min.f16x2": inBothLanes2(f16.min),
  "min.bf16x2": inBothLanes2(bf16.min),
  "max.f16": f16.max,
  "max.bf16": bf16.max,
  "max.f16x2": inBothLanes2(f16.max),
  "max.bf16x2": inBothLanes2(bf16.max),
  and: (old, b) => old & b,
  or: (old, b) => old | b,
  xor: (old, b) => old ^ b,
  min: Math.min,
  max: Math.max,
  "min.s32": (old, b) => Math.min(old | 0, b | 0),
  "max.s32": (old, b) => Math.max(old | 0, b | 0),
  inc,
  dec,
  exch: (_, b) => b,
  cas: (old, b, c) => (old === b ? c : old),
};

const signed = (x: bigint): bigint => BigInt.asIntN(64, x);

const updates64: Readonly<Record<string, Update<bigint>>> = {
  add: (old, b) => old + b,
  // A NaN keeps its bits, the operand's before that in memory. In shared memory it is quiet, and that in memory comes first (an
  // H200's records).
  "add.f64": (old, b) => {
    const sum = f64FromBits(old) + f64FromBits(b);
    return sum === sum ? f64ToBits(sum) : isNaNBits(b) ? b : isNaNBits(old) ? old : F64_NAN_BITS;
  },
  "shared.add.f64": (old, b) => {
    const sum = f64FromBits(old) + f64FromBits(b);
    return sum === sum ? f64ToBits(sum) : nanOperandF64(old, b);
  },
  and: (old, b) => old & b,
  or: (old, b) => old | b,
  xor: (old, b) => old ^ b,
  min: (old, b) => (old < b ? old : b),
  max: (old, b) => (old > b ? old : b),
  "min.s64": (old, b) => (signed(old) < signed(b) ? old : b),
  "max.s64": (old, b) => (signed(old) > signed(b) ? old : b),
  exch: (_, b) => b,
  cas: (old, b, c) => (old === b ? c : old),
};

const operations = ["add", "and", "or", "xor", "min", "max", "inc", "dec", "exch", "cas"];

/** The operation's update for the type; undefined when there is none. */
function updateOf<T>(table: Readonly<Record<string, Update<T>>>, op: string, type: DataType): Update<T> | undefined {
  return table[`${op}.${type.name}`] ?? table[op];
}

/**
 * The update of shared memory and bulk reductions for values of up to 32 bits; undefined if the operation has no meaning for the
 * type.
 */
export const update32 = (op: string, type: string): Update<number> | undefined =>
  updates32[`shared.${op}.${type}`] ?? updates32[`${op}.${type}`] ?? updates32[op];

/** The same of 64 bits. */
export const update64 = (op: string, type: string): Update<bigint> | undefined =>
  updates64[`${op}.${type}`] ?? updates64[op];

/** The functions of Atomics on a typed array, with one signature for numbers and bigints. */
interface Elements<T> {
  readonly buffer: ArrayBufferLike;
  load(index: number): T;
  /** Returns the old value; writes the new one only if that is `expected`. */
  compareExchange(index: number, expected: T, value: T): T;
}

function numberElements(array: Uint16Array | Uint32Array): Elements<number> {
  return {
    buffer: array.buffer,
    load: (index) => Atomics.load(array, index),
    compareExchange: (index, expected, value) => Atomics.compareExchange(array, index, expected, value),
  };
}

function bigintElements(array: BigUint64Array): Elements<bigint> {
  return {
    buffer: array.buffer,
    load: (index) => Atomics.load(array, index),
    compareExchange: (index, expected, value) => Atomics.compareExchange(array, index, expected, value),
  };
}

/** Number of whole elements in a buffer, whose size need not be a multiple. */
const whole = (buffer: ArrayBufferLike, bytes: number): number => Math.floor(buffer.byteLength / bytes);

/** The representation of a type's elements in memory and in registers. */
interface Cell<T> {
  readonly get: (view: DataView, offset: number) => T;
  readonly set: (view: DataView, offset: number, value: T) => void;
  /** The whole buffer of a view, as elements. */
  readonly elements: (buffer: ArrayBufferLike) => Elements<T>;
  readonly take: (
    binder: Binder,
    operand: Place,
  ) => (frame: { readonly unsigned: Uint32Array; readonly ulongs: BigUint64Array }, lane: number) => T;
  readonly put: (
    place: Place,
  ) => (frame: { readonly words: Int32Array; readonly ulongs: BigUint64Array }, lane: number, value: T) => void;
}

const take32: Cell<number>["take"] = (_, place) => (frame, lane) => frame.unsigned[place.word + place.stride * lane]!;
const put32: Cell<number>["put"] = (place) => (frame, lane, value) => {
  frame.words[place.word + place.stride * lane] = value;
};

const cell32: Cell<number> = {
  get: (view, offset) => view.getUint32(offset, true),
  set: (view, offset, value) => view.setUint32(offset, value, true),
  elements: (buffer) => numberElements(new Uint32Array(buffer, 0, whole(buffer, 4))),
  take: take32,
  put: put32,
};

const cell16: Cell<number> = {
  get: (view, offset) => view.getUint16(offset, true),
  set: (view, offset, value) => view.setUint16(offset, value, true),
  elements: (buffer) => numberElements(new Uint16Array(buffer, 0, whole(buffer, 2))),
  take: (_, place) => (frame, lane) => frame.unsigned[place.word + place.stride * lane]! & 0xffff,
  put: put32,
};

const cell64: Cell<bigint> = {
  get: (view, offset) => view.getBigUint64(offset, true),
  set: (view, offset, value) => view.setBigUint64(offset, BigInt.asUintN(64, value), true),
  elements: (buffer) => bigintElements(new BigUint64Array(buffer, 0, whole(buffer, 8))),
  take: (_, place) => (frame, lane) => frame.ulongs[(place.word >> 1) + lane]!,
  put: (place) => (frame, lane, value) => {
    frame.ulongs[(place.word >> 1) + lane] = value;
  },
};

/** The operation among the modifiers. */
export const operationOf = ({ chosen }: Opcode): string | undefined =>
  chosen.find((text) => text !== undefined && operations.includes(text));

const atomic: Reading = (opcode) => {
  const type = typeOf(opcode)!;
  const op = operationOf(opcode);
  if (op === undefined) return undefined;
  switch (type.bits) {
    case 128:
      return wide(op);
    case 64: {
      const update = updateOf(updates64, op, type);
      return update && meaning(opcode, type, cell64, update, updates64[`shared.${op}.${type.name}`]);
    }
    default: {
      const shared = updates32[`shared.${op}.${type.name}`];
      // With .noftz subnormal f32 are preserved in all memory; without it, in shared memory only.
      const isKept = type.name === "f32" && hasModifier(opcode, "noftz");
      const update = isKept ? shared : updateOf(updates32, op, type);
      return update && meaning(opcode, type, type.bits === 16 ? cell16 : cell32, update, shared);
    }
  }
};

export interface AtomicOperands {
  /** Undefined for red. */
  readonly d: number | undefined;
  readonly address: number;
  readonly b: number;
  readonly c: number | undefined;
}

/** Indices of atom's and red's operands. */
export function operandsOf(opcode: Opcode): AtomicOperands {
  const at = (name: string): number | undefined => {
    const index = opcode.form.operands.findIndex((spec) => spec.name === name);
    return index < 0 ? undefined : index;
  };
  return {
    d: at("d"),
    address: opcode.form.operands.findIndex((spec) => spec.kind === "address"),
    b: at("b")!,
    c: at("c"),
  };
}

/** Whether the view is shared memory of the block or of another block of its cluster. */
function isShared(frame: Frame, view: DataView): boolean {
  return frame.warp.block.cluster.blocks.some((block) => block.shared === view);
}

function meaning<T>(opcode: Opcode, type: DataType, cell: Cell<T>, update: Update<T>, inShared?: Update<T>): Meaning {
  return custom((binder): Bound => {
    const operands = operandsOf(opcode);
    const size = type.bits / 8;
    const read = (index: number): readonly Place[] =>
      binder.elements(binder.operand(index)).map((e) => binder.read(e, type.bits));
    const bs = read(operands.b).map((place) => cell.take(binder, place));
    const cs = operands.c === undefined ? bs : read(operands.c).map((place) => cell.take(binder, place));
    const target = operands.d === undefined ? undefined : binder.operand(operands.d);
    const ds =
      target === undefined || target.kind === "sink"
        ? []
        : binder.elements(target).map((e) => cell.put(binder.write(e, type.bits)));
    const bytes = size * bs.length;
    const { locate } = bindAddress(binder, binder.operand(operands.address), spaceOfOpcode(opcode), bytes, bytes, true);
    const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
    const before = new Array<T>(bs.length);
    let elements: Elements<T> | undefined;
    /** Changes the element atomically and returns its old value. */
    const swap = ({ buffer, byteOffset }: DataView, offset: number, change: Update<T>, b: T, c: T): T => {
      if (elements?.buffer !== buffer) elements = cell.elements(buffer);
      const index = (byteOffset + offset) / size;
      for (let old = elements.load(index); ;) {
        const found = elements.compareExchange(index, old, change(old, b, c));
        if (found === old) return old;
        old = found;
      }
    };
    return {
      memory: true,
      spins: ds.length > 0,
      lanes: (frame, mask) => {
        const isAlone = frame.warp.block.launch.sharedCounters === undefined;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          locate(frame, lane, spot);
          const change = inShared !== undefined && isShared(frame, spot.view) ? inShared : update;
          for (let i = 0; i < bs.length; i++) {
            const offset = spot.offset + size * i;
            const [b, c] = [bs[i]!(frame, lane), cs[i]!(frame, lane)];
            if (!isAlone) {
              before[i] = swap(spot.view, offset, change, b, c);
              continue;
            }
            const old = cell.get(spot.view, offset);
            cell.set(spot.view, offset, change(old, b, c));
            before[i] = old;
          }
          // Results may be among the operands' registers.
          for (let i = 0; i < ds.length; i++) ds[i]!(frame, lane, before[i]!);
        }
      },
    };
  });
}

/** exch and cas of 128 bits, as four words. */
function wide(op: string): Meaning {
  return custom((binder): Bound => {
    const operands = operandsOf(binder.opcode);
    const place = (index: number | undefined): Place | undefined =>
      index === undefined || binder.operand(index) === undefined ? undefined : binder.read(binder.operand(index), 128);
    const b = place(operands.b)!;
    const c = op === "cas" ? place(operands.c)! : b;
    const d = binder.write(operands.d === undefined ? undefined : binder.operand(operands.d), 128);
    const { locate } = bindAddress(
      binder,
      binder.operand(operands.address),
      spaceOfOpcode(binder.opcode),
      16,
      16,
      true,
    );
    const spot: Spot = { view: new DataView(new ArrayBuffer(0)), offset: 0 };
    const exchange = ({ words: w }: Frame, lane: number): readonly number[] => {
      const old = [0, 4, 8, 12].map((i) => spot.view.getInt32(spot.offset + i, true));
      if (op === "exch" || old.every((word, i) => word === w[b.word + 4 * lane + i]))
        for (let i = 0; i < 4; i++) spot.view.setInt32(spot.offset + 4 * i, w[c.word + 4 * lane + i]!, true);
      return old;
    };
    return {
      memory: true,
      spins: true,
      lanes: (frame, mask) => {
        const w = frame.words;
        for (let lane = 0; lane < 32; lane++) {
          if (((mask >>> lane) & 1) === 0) continue;
          locate(frame, lane, spot);
          const old = exclusively(frame, () => exchange(frame, lane));
          old.forEach((word, i) => (w[d.word + 4 * lane + i] = word));
        }
      },
    };
  });
}

export const atomicMeanings: Meanings = { atom: atomic, red: atomic };
