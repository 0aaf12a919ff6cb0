// What writes a random function: lines, the values in scope, and operands of a type for the next line.

import { randomFrom } from "../../random.js";

export interface Random {
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** 64 random bits. */
  bits(): bigint;
}

export function randomNumbers(seed: number): Random {
  const { below, pick } = randomFrom(seed);
  const half = (): bigint => BigInt(below(2 ** 16)) | (BigInt(below(2 ** 16)) << 16n);
  return { below, pick: (items) => pick(items)!, bits: () => half() | (half() << 32n) };
}

/** How new the words of a module are: 0 LLVM 7 has, 1 LLVM 14, 2 LLVM 20 alone. */
export type Level = 0 | 1 | 2;

/** Of a function that other functions call. */
export interface Helper {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly string[];
  /** Its first argument says how often it calls itself. */
  readonly recursive: boolean;
}

/** What all functions of a module share. */
export interface ModuleParts {
  readonly random: Random;
  readonly level: Level;
  readonly declarations: Set<string>;
  /** Variables. */
  readonly globals: string[];
  readonly helpers: Helper[];
}

export interface Value {
  readonly type: string;
  readonly name: string;
}

export interface Writer {
  readonly parts: ModuleParts;
  readonly random: Random;
  readonly lines: string[];
  readonly allocas: string[];
  /** Values that are defined where the next line goes. */
  scope: Value[];
  block: string;
  next: number;
  /** Functions that this one may call. */
  readonly helpers: readonly Helper[];
}

export function createWriter(parts: ModuleParts): Writer {
  const { random, helpers } = parts;
  return { parts, random, lines: [], allocas: [], scope: [], block: "entry", next: 0, helpers: [...helpers] };
}

export const fresh = (w: Writer): string => `%v${w.next++}`;

export function add(w: Writer, type: string, text: string): Value {
  const value = { type, name: fresh(w) };
  w.lines.push(`  ${value.name} = ${text}`);
  w.scope.push(value);
  return value;
}

/** The name of a line's value, which nothing else picks. */
export function hidden(w: Writer, text: string): string {
  const name = fresh(w);
  w.lines.push(`  ${name} = ${text}`);
  return name;
}

export function label(w: Writer, name: string): void {
  w.lines.push(`${name}:`);
  w.block = name;
}
