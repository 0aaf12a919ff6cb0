// What generating a kernel keeps in its hands: the random numbers, names that are taken, registers by kind, and where in the
// kernel an instruction is to stand.

import type { Random } from "../../oracle/random.js";
import type { Row } from "./rows.js";

/** Registers by width: 16, 32 and 64 bits, predicates. All are declared untyped, and take part under any type. */
export type Class = "h" | "r" | "l" | "p";

export const registerCounts: Readonly<Record<Class, number>> = { h: 8, r: 12, l: 8, p: 6 };

export const cTypes: Readonly<Record<Class, string>> = { h: "u16", r: "u32", l: "u64", p: "u8" };
export const ptxTypes: Readonly<Record<Class, string>> = { h: "b16", r: "b32", l: "b64", p: "pred" };
export const bytesOf: Readonly<Record<Class, number>> = { h: 2, r: 4, l: 8, p: 1 };

/**
 * Kinds of values: the class that holds them, the registers of it that mostly do, and the bits that make any value a moderate
 * one of that kind (`and`, then `or`): sums and products of these stay numbers for a while.
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

/** Where an instruction stands. */
export interface Scope {
  /** How deep in branches, loops and calls. */
  readonly depth: number;
  /** The register that holds the lanes of the warp that are here together; undefined where they need not be. */
  readonly mask: string | undefined;
  /** All 32 lanes of every warp are here. */
  readonly whole: boolean;
  /** All threads of the block come here together: barriers may stand here. */
  readonly together: boolean;
  /** Threads may exit here, or in what stands here: no mask in use outside names one that does. */
  readonly mayExit: boolean;
  /** Functions with a lower number may be called from here. */
  readonly callable: number;
}

/** What a module says that it is. */
export interface Platform {
  readonly version: string;
  readonly target: string;
}

export interface Builder {
  readonly random: Random;
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  readonly usedRows: Map<string, number>;
  /** Of a block; blocks of the grid. */
  readonly threads: number;
  readonly blocks: number;
  /** Further registers of the function in hand: loop counters (k) and masks (m). */
  readonly extra: Set<string>;
  readonly counters: Counters;
  readonly callees: Callee[];
  /** Of a kernel with statements that C has no meaning for; undefined: all are there in C too. */
  readonly beyond: Platform | undefined;
}

export interface Counters {
  label: number;
  extra: number;
  /** Places where threads may exit. */
  exits: number;
}

/** A function that can be called: f(slices; a, b, c[, mask]) -> d, with the classes of a to d. */
export interface Callee {
  readonly name: string;
  readonly parameters: readonly Class[];
  readonly result: Class;
  /** Has a mask as its last parameter, and warp operations inside. */
  readonly collective: boolean;
  /** Its own depth of recursion is bounded by its first argument, an r, of which this many low bits count. */
  readonly recursive: boolean;
  /** Some of its threads may exit in it. */
  readonly leaves: boolean;
}

export const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

/** One of the items; there must be one. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random.below(items.length)]!;
}

export function register(builder: Builder, of: Class): string {
  return `${of}${builder.random.below(registerCounts[of])}`;
}

/** A register for a value of that kind: mostly one that such values are in. */
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

/** A register of its own, for a loop's counter or a mask. */
export function newRegister(builder: Builder, letter: "k" | "m"): string {
  const name = `${letter}${builder.counters.extra++}`;
  builder.extra.add(name);
  return name;
}

/** A constant in both languages' spelling. */
export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

export function randomBits(random: Random, bits: number): bigint {
  let value = 0n;
  for (let i = 0; i < bits; i += 16) value = (value << 16n) | BigInt(random.below(65536));
  return BigInt.asUintN(bits, value);
}
