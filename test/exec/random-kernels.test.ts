// Random kernels (random/) leave the same in registers and memory as their translations to C: recorded ones (a sample
// has one in 24 on each engine), and new ones if gcc is installed. npm run oracle:engines -- SEED COUNT runs thousands.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import test from "ava";
import { sample } from "../sample.js";
import { compareOnce } from "./random/compare.js";
import { openCHost, runPtx } from "./random/host.js";
import { randomKernel } from "./random/kernel.js";
import { minimise } from "./random/minimise.js";
import { digest, recordedFile, type Recorded } from "./random/record.js";
import { readRows } from "./random/rows.js";
import { dataOf } from "./random/shape.js";
import { cOf, linesOf, ptxOf } from "./random/tree.js";
import { installed, testWith } from "../tools.js";

const recorded = JSON.parse(gunzipSync(readFileSync(recordedFile)).toString()) as readonly Recorded[];

for (const engine of ["reference", "fast"] as const)
  for (const kernel of sample(recorded, 24, { name: ({ seed }) => `${engine} ${seed}` }))
    test(`kernel ${kernel.seed} computes what C computes: ${engine} engine`, async (t) => {
      const { bytes, failure } = await runPtx(kernel.ptx, kernel, dataOf(kernel), { engine });
      t.is(failure, undefined);
      t.is(digest(bytes), kernel.leaves);
    });

const beyondParts = [
  /\bmma\.sync/,
  /\bwmma\.mma/,
  /\b(?:ld|st|mov)matrix/,
  /\bcp\.async\.c[ag]/,
  /\bcp(?:\.reduce)?\.async\.bulk/,
  /\bmbarrier\.(?:test|try)_wait/,
  /\.b128 %o/,
  /\btex\.[123]d/,
  /\bvadd[24]?\./,
  /\.[us]8x4 /,
];

const rows = readRows();
testWith(installed("gcc"))("new kernels leave what C leaves", async (t) => {
  const host = openCHost()!;
  t.teardown(() => host.close());
  for (const seed of sample([1003, 1006], 2))
    t.is((await compareOnce(randomKernel(seed, rows), host)).problem, undefined, `seed ${seed}`);
});

test("both engines compute and count the same", async (t) => {
  for (const seed of sample([1001, 1005, 1008, 1010], 4))
    t.is((await compareOnce(randomKernel(seed, rows), undefined)).problem, undefined, `seed ${seed}`);
});

test("so they do with matrices, asynchronous copies and other instructions without a C equivalent", async (t) => {
  for (const seed of sample([115, 138, 148], 4))
    t.is((await compareOnce(randomKernel(seed, rows, true), undefined)).problem, undefined, `seed ${seed}`);
});

test("instructions without a C equivalent occur in such kernels, and in no others", (t) => {
  const texts = (beyond: boolean): string =>
    Array.from({ length: 40 }, (_, i) => ptxOf(randomKernel(100 + i, rows, beyond))).join("\n");
  const [more, plain] = [texts(true), texts(false)];
  for (const part of beyondParts) {
    t.true(part.test(more), String(part));
    t.false(part.test(plain), String(part));
  }
});

test("so they do on several threads", async (t) => {
  const seeds = sample([1005, 1011], 2);
  const compared = await Promise.all(seeds.map((seed) => compareOnce(randomKernel(seed, rows), undefined, true)));
  for (const [i, { problem }] of compared.entries()) t.is(problem, undefined, `seed ${seeds[i]}`);
});

test("a seed gives the same kernel in PTX and in C", (t) => {
  const [one, two] = [randomKernel(7, rows), randomKernel(7, rows)];
  t.is(ptxOf(one), ptxOf(two));
  t.is(cOf(one), cOf(two));
  t.not(ptxOf(one), ptxOf(randomKernel(8, rows)));
});

test("a failing kernel is reduced while it still fails", async (t) => {
  const has = /redux\.sync/;
  const kernel = Array.from({ length: 20 }, (_, i) => randomKernel(i, rows)).find((each) => has.test(ptxOf(each)))!;
  const smaller = await minimise(kernel, (each) => Promise.resolve(has.test(ptxOf(each))));
  const left = smaller.functions.flatMap(({ body }) => linesOf(body));
  t.is(left.filter(({ ptx }) => has.test(ptx)).length, 1);
  t.true(left.length < 25, `${left.length} lines`);
});
