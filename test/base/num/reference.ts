// Reads the results that testdata/numerics/reference.c recorded, and compares one set of them. PTXKIT_NUMERICS may name
// a folder with larger files from the same program, which the tests use instead.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { generator, type Generator } from "./operands.js";

const FOLDER = process.env["PTXKIT_NUMERICS"] ?? "testdata/numerics";

/** Little-endian results in the order in which the C program wrote them. */
export interface Results {
  readonly next32: () => number;
  readonly next64: () => bigint;
  readonly nextDouble: () => number;
}

export interface Mismatch {
  readonly operation: string;
  readonly operands: readonly string[];
  readonly expected: string;
  readonly actual: string;
}

/** The first mismatches and how many results were compared. */
export interface Comparison {
  readonly compared: number;
  readonly mismatches: readonly Mismatch[];
}

const hex = (x: number | bigint): string => (typeof x === "bigint" ? x.toString(16) : (x >>> 0).toString(16));

export type Check = (
  operation: string,
  operands: readonly (number | bigint)[],
  expected: number | bigint,
  actual: number | bigint,
) => void;

/** Runs `oneCase` for each recorded result of `set`. */
export function compareAll(
  set: string,
  seed: number,
  oneCase: (from: Generator, results: Results, check: Check) => void,
): Comparison {
  const bytes = readFileSync(join(FOLDER, `${set}.bin`));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = generator(seed);
  const mismatches: Mismatch[] = [];
  let offset = 0;
  let compared = 0;
  const results: Results = {
    next32: () => view.getUint32((offset += 4) - 4, true),
    next64: () => view.getBigUint64((offset += 8) - 8, true),
    nextDouble: () => view.getFloat64((offset += 8) - 8, true),
  };
  const check: Check = (operation, operands, expected, actual) => {
    compared++;
    const isSame = typeof actual === "number" ? actual >>> 0 === expected : actual === expected;
    if (isSame || mismatches.length > 9) return;
    mismatches.push({ operation, operands: operands.map(hex), expected: hex(expected), actual: hex(actual) });
  };
  while (offset < bytes.length) oneCase(from, results, check);
  return { compared, mismatches };
}
