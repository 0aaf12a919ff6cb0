// State of the generator of a kernel: random numbers, used names, registers by kind, and properties of the current
// place in the kernel.

import type { Random } from "../../oracle/random.js";
import type { Row } from "./rows.js";

/** Registers by width: 16, 32 and 64 bits, predicates. All are declared untyped and used with any type. */
export type Class = "h" | "r" | "l" | "p";

export const registerCounts: Readonly<Record<Class, number>> = { h: 8, r: 12, l: 8, p: 6 };

export const cTypes: Readonly<Record<Class, string>> = { h: "u16", r: "u32", l: "u64", p: "u8" };
export const ptxTypes: Readonly<Record<Class, string>> = { h: "b16", r: "b32", l: "b64", p: "pred" };
export const bytesOf: Readonly<Record<Class, number>> = { h: 2, r: 4, l: 8, p: 1 };

/**
 * Kinds of values: their register class, registers that mostly have such values, and masks (`and`, then `or`) that make
 * any bits a moderate value: sums and products of these stay finite for a while.
 */
export interface Kind {
  readonly class: Class;
  readonly from: number;
  readonly to: number;
  readonly and?: bigint;
  readonly or?: bigint;
}

export const kinds: Readonly<Record<string, Kind>> = {
  b16: { class: "h", from: 0, to: 4 },
  f16: { class: "h", from: 4, to: 6, and: 0x8fffn, or: 0x3000n },
  bf16: { class: "h", from: 6, to: 8, and: 0x81ffn, or: 0x3e00n },
  b32: { class: "r", from: 0, to: 6 },
  f32: { class: "r", from: 6, to: 9, and: 0x83ffffffn, or: 0x3c000000n },
  f16x2: { class: "r", from: 9, to: 10, and: 0x8fff8fffn, or: 0x30003000n },
  bf16x2: { class: "r", from: 10, to: 11, and: 0x81ff81ffn, or: 0x3e003e00n },
  count: { class: "r", from: 11, to: 12, and: 63n, or: 0n },
  b64: { class: "l", from: 0, to: 5 },
  f64: { class: "l", from: 5, to: 8, and: 0x803fffffffffffffn, or: 0x3fc0000000000000n },
  pred: { class: "p", from: 0, to: 6 },
};

/** Properties of the place of an instruction. */
export interface Scope {
  /** Nesting depth of branches, loops and calls. */
  readonly depth: number;
  /** The register with the mask of the warp's lanes that are here together; undefined if they may be elsewhere. */
  readonly mask: string | undefined;
  /** Whether all 32 lanes of every warp are here. */
  readonly whole: boolean;
  /** Whether all threads of the block are here together, so that barriers are allowed. */
  readonly together: boolean;
  /** Whether threads may exit here: no mask in use outside includes them. */
  readonly mayExit: boolean;
  /** Functions with a lower index may be called from here. */
  readonly callable: number;
}

/** The module's version and target. */
export interface Platform {
  readonly version: string;
  readonly target: string;
}

export interface Builder {
  readonly random: Random;
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly usedRows: Map<string, number>;
  /** Threads of a block; blocks of the grid. */
  readonly threads: number;
  readonly blocks: number;
  /** Additional registers of the current function: loop counters (k) and masks (m). */
  readonly extra: Set<string>;
  readonly counters: Counters;
  readonly callees: Callee[];
  /** For kernels with statements that are not translated to C; undefined if C has all. */
  readonly beyond: Platform | undefined;
}

export interface Counters {
  label: number;
  extra: number;
  /** Number of places where threads may exit. */
  exits: number;
}

/** A callable function f(slices; a, b, c[, mask]) -> d, with the classes of a to d. */
export interface Callee {
  readonly name: string;
  readonly parameters: readonly Class[];
  readonly result: Class;
  /** Whether its last parameter is a mask, for warp operations inside. */
  readonly collective: boolean;
  /** Whether it is recursive; the low two bits of its first argument, an r, bound the depth. */
  readonly recursive: boolean;
  /** Whether some threads may exit in it. */
  readonly leaves: boolean;
}

export const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

/** Picks an item at random; `items` must not be empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

export function register(builder: Builder, of: Class): string {
  return `${of}${builder.random.below(registerCounts[of])}`;
}

/** A register for a value of that kind: mostly one that has such values. */
export function registerFor(builder: Builder, kind: string): string {
  const found = kinds[kind]!;
  if (chance(builder.random, 12)) return register(builder, found.class);
  return `${found.class}${found.from + builder.random.below(found.to - found.from)}`;
}

export function distinct(builder: Builder, of: Class, count: number): readonly string[] {
  const first = builder.random.below(registerCounts[of]);
  return Array.from({ length: count }, (_, i) => `${of}${(first + i) % registerCounts[of]}`);
}

export const newLabel = (builder: Builder): string => `L${builder.counters.label++}`;

/** A new register, for a loop counter or a mask. */
export function newRegister(builder: Builder, letter: "k" | "m"): string {
  const name = `${letter}${builder.counters.extra++}`;
  builder.extra.add(name);
  return name;
}

/** A constant in PTX and in C. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export function randomBits(random: Random, bits: number): bigint {
  let value = 0n;
  for (let i = 0; i < bits; i += 16) value = (value << 16n) | BigInt(random.below(65536));
  return BigInt.asUintN(bits, value);
}
