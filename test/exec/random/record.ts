// Writes testdata/exec/random-kernels.json.gz: kernels with what their C translations leave, for machines without gcc.
//   node .ci/prepare.mjs && node dist/test/exec/random/record.js

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { testdata } from "../../oracle/programs.js";
import { openCHost } from "./host.js";
import { randomKernel } from "./kernel.js";
import { readRows } from "./rows.js";
import { dataOf, type Shape } from "./shape.js";
import { cOf, ptxOf } from "./tree.js";

/** A kernel whose result is known. */
export interface Recorded extends Shape {
  readonly seed: number;
  readonly ptx: string;
  /** SHA-256 of the bytes that it leaves. */
  readonly leaves: string;
}

export const recordedFile = new URL("exec/random-kernels.json.gz", testdata);

export const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function record(seeds: readonly number[]): readonly Recorded[] {
  const host = openCHost();
  if (host === undefined) throw new Error("no gcc here");
  const rows = readRows();
  const recorded = seeds.map((seed): Recorded => {
    const kernel = randomKernel(seed, rows);
    const { bytes, failure } = host.run(cOf(kernel), dataOf(kernel));
    if (failure !== undefined) throw new Error(failure);
    const { grid, block, launches } = kernel;
    return { seed, grid, block, launches, ptx: ptxOf(kernel), leaves: digest(bytes) };
  });
  host.close();
  return recorded;
}

if (process.argv[1]?.endsWith("record.js") === true) {
  const recorded = record([2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 20, 31]);
  writeFileSync(recordedFile, gzipSync(JSON.stringify(recorded), { level: 9 }));
}
