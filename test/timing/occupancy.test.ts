// Occupancy against CUDA's own calculator: testdata/timing/occupancy.cpp says how its answers were recorded.

import { readFileSync } from "node:fs";
import test from "ava";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { occupancy } from "../../lib/timing/gpus/occupancy.js";
import { estimateRegisters, maxLive } from "../../lib/timing/lowering/registers.js";
import { a100, codeOf, lines, time } from "./kernels.js";

const recorded = JSON.parse(
  readFileSync(new URL("../../../testdata/timing/occupancy.json", import.meta.url), "utf8"),
) as { gpus: Readonly<Record<string, readonly (readonly [number, number, number, number])[]>> };

for (const [name, rows] of Object.entries(recorded.gpus))
  test(`${name}: as many blocks as CUDA's occupancy calculator says, in ${rows.length} cases`, (t) => {
    const model = findGpu(name)!;
    const wrong = rows.flatMap(([threads, registers, sharedBytes, blocks]) => {
      const got = occupancy(model, { threads, registers, sharedBytes }).blocks;
      return got === blocks ? [] : [{ threads, registers, sharedBytes, blocks, got }];
    });
    t.deepEqual(wrong, []);
  });

test("the limiter is named", (t) => {
  const limit = (threads: number, registers: number, sharedBytes: number): string =>
    occupancy(a100, { threads, registers, sharedBytes }).limitedBy;
  t.is(limit(256, 16, 0), "warps");
  t.is(limit(32, 16, 0), "blocks");
  t.is(limit(256, 64, 0), "registers");
  t.is(limit(256, 16, 40000), "shared memory");
});

test("registers are estimated from live values", (t) => {
  t.is(maxLive(codeOf("add.s32 %r1, %r2, %r3; st.global.u32 [%rd1], %r1; ret;")), 4);
  const many = codeOf(
    `${lines(50, (i) => `ld.global.f32 %f${i}, [%rd1+${4 * i}];`)}
     ${lines(50, (i) => `st.global.f32 [%rd2+${4 * i}], %f${i};`)} ret;`,
  );
  t.is(maxLive(many), 53);
  t.is(estimateRegisters(many, 255), 64);
  t.is(estimateRegisters(many, 40), 40);
  const loop = codeOf("L: add.s32 %r1, %r1, %r2; setp.lt.s32 %p1, %r1, %r3; @%p1 bra L; ret;");
  t.is(maxLive(loop), 3, "what a loop needs again stays live around it");
});

test("blocks that do not fit at once run one after another", (t) => {
  const code = codeOf(`${lines(64, () => "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;")} ret;`);
  const cycles = (registers: number): number =>
    time({ code, blocks: 8, threads: 256 }, undefined, { registers }).cycles;
  t.true(cycles(255) > 2.5 * cycles(32), `${cycles(255)} and ${cycles(32)}`);
});
