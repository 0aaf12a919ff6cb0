// The memory of the reader of objects (wasm/main.ts), in which the tables of a link are that it fills: columns from here, and what grows.

import { once } from "../../../base/once.js";
import { webAssembly, type WasmMemory } from "../../../base/web-assembly.js";
import { notPlain } from "../tables/cursor.js";
import type { Columns } from "../tables/tables.js";
import { readerCode } from "./reader-code.js";

/** A number of the reader's that either side may set. */
interface Global {
  value: number;
}

/** What the reader shows: functions, numbers, and addresses of columns and lists. */
export type ReaderNames = Readonly<Record<string, Global>>;

interface ReaderFunctions {
  open(start: number, bytes: number, headers: number, sections: number, symbols: number): void;
  readObject(index: number): void;
  readSymbols(index: number): void;
  checkDeclared(end: number): void;
  /** Whether bytes at an address are UTF-8; 0 for no. */
  isUtf8(at: number, length: number): number;
}

export interface ReaderMemory {
  readonly names: ReaderNames;
  readonly functions: ReaderFunctions;
  /** Calls them; where they give up, that leaves the plain link. */
  attempt<T>(work: () => T): T;
  /** Where so many bytes are that nothing else uses; zeros. */
  reserve(bytes: number): number;
  /** Columns of zeros. */
  readonly columns: Columns;
  /** So many words, halves or bytes at an address. */
  words(at: number, count: number): Int32Array;
  bytes(at: number, count: number): Uint8Array;
}

/** Pages of 64 KiB: what the reader begins with, and all that it takes (wasm/memory.ts). */
const FIRST = 16;
const ALL = 2 ** 15;

/** Undefined where the host has no WebAssembly. */
const readerModule = once(() => webAssembly && new webAssembly.Module(Buffer.from(readerCode, "base64")));

/** A new one, with nothing in it. Leaves the plain link where the host gives none. */
export function createReaderMemory(): ReaderMemory {
  const memory = newMemory();
  const exports: unknown = new webAssembly!.Instance(readerModule()!, { env: { memory } }).exports;
  const functions = exports as ReaderFunctions & { reserve(bytes: number): number };
  const names = exports as ReaderNames;
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (names["hasLeft"]!.value === 0) throw error;
      names["hasLeft"]!.value = 0;
      return notPlain("what the reader leaves");
    }
  };
  const reserve = (size: number): number => attempt(() => functions.reserve(size));
  const words = (at: number, count: number): Int32Array => new Int32Array(memory.buffer, at, count);
  const halves = (at: number, count: number): Uint16Array => new Uint16Array(memory.buffer, at, count);
  const bytes = (at: number, count: number): Uint8Array => new Uint8Array(memory.buffer, at, count);
  return {
    names,
    functions,
    attempt,
    reserve,
    columns: {
      words: (rows) => words(reserve(4 * rows), rows),
      halves: (rows) => halves(reserve(2 * rows), rows),
      bytes: (rows) => bytes(reserve(rows), rows),
    },
    words,
    bytes,
  };
}

function newMemory(): WasmMemory {
  if (webAssembly === undefined) notPlain("no WebAssembly");
  try {
    return new webAssembly.Memory({ initial: FIRST, maximum: ALL, shared: true });
  } catch (error) {
    if (error instanceof RangeError) notPlain("no memory");
    throw error;
  }
}
