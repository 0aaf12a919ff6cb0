// Combines arrays of elements in memory, as bulk and tensor reductions and red.async do (PTX ISA 9.0 sections 9.7.9.25.4.2 and
// 9.7.9.25.5.3). Subnormals of f32 are kept, unlike those of red.global, unless the type flushes them (records of an H200).

import { f32FromBits, f32ToBits } from "../../base/num/bits.js";
import { addF32 } from "../../base/num/f32.js";
import { flushF32 } from "../../base/num/rounding.js";
import { dataType } from "../../isa/types.table.js";
import { update32, update64 } from "./atomic.js";

/** Combines `source` into `target`. `isShared`: other host threads may do so at the same time. */
export type Reducer = (target: Uint8Array, source: Uint8Array, isShared: boolean) => void;

/** Elements of one width in a buffer. */
interface Elements<T> {
  readonly load: (index: number) => T;
  readonly store: (index: number, value: T) => void;
  /** Returns the old value; writes the new one only if that is `expected`. */
  readonly exchange: (index: number, expected: T, value: T) => T;
}

type View<T> = (buffer: ArrayBufferLike, offset: number, count: number) => Elements<T>;

function numbers(array: Uint16Array | Uint32Array): Elements<number> {
  return {
    load: (index) => array[index]!,
    store: (index, value) => void (array[index] = value),
    exchange: (index, expected, value) => Atomics.compareExchange(array, index, expected, value),
  };
}

const halves: View<number> = (...at) => numbers(new Uint16Array(...at));
const words: View<number> = (...at) => numbers(new Uint32Array(...at));
const longs: View<bigint> = (...at) => {
  const array = new BigUint64Array(...at);
  return {
    load: (index) => array[index]!,
    store: (index, value) => void (array[index] = value),
    exchange: (index, expected, value) => Atomics.compareExchange(array, index, expected, value),
  };
};

/** Adds f32 with operands and result flushed: the tensor maps' f32ftz and tf32ftz. */
const addFlushed = (old: number, value: number): number =>
  f32ToBits(flushF32(addF32.rn(flushF32(f32FromBits(old)), flushF32(f32FromBits(value)))));

/** The reducer of elements of that type; undefined if the operation is not defined for it. */
export function reducerOf(op: string, type: string): Reducer | undefined {
  if (type === "f32ftz") return op === "add" ? reducing(4, words, addFlushed) : undefined;
  const { bits } = dataType(type)!;
  if (bits === 64) {
    const step = update64(op, type);
    return step && reducing(8, longs, (old, value) => BigInt.asUintN(64, step(old, value, value)));
  }
  const step = update32(op, type);
  if (step === undefined) return undefined;
  return bits === 16
    ? reducing(2, halves, (old, value) => step(old, value, value) & 0xffff)
    : reducing(4, words, (old, value) => step(old, value, value) >>> 0);
}

function reducing<T>(size: number, view: View<T>, step: (old: T, value: T) => T): Reducer {
  return (target, source, isShared) => {
    const count = target.length / size;
    const into = view(target.buffer, target.byteOffset, count);
    // A source may begin anywhere in its buffer.
    const from = view(source.slice().buffer, 0, count);
    for (let i = 0; i < count; i++) {
      const value = from.load(i);
      let old = into.load(i);
      if (!isShared) {
        into.store(i, step(old, value));
        continue;
      }
      for (;;) {
        const found = into.exchange(i, old, step(old, value));
        if (found === old) break;
        old = found;
      }
    }
  };
}
