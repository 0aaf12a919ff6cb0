// The screening pass on the fast engine: what it passes has no findings on the reference engine, and both report the
// same.

import test from "ava";
import { createLaunch } from "../../../lib/exec/launch/launch.js";
import { createPrograms } from "../../../lib/exec/program/programs.js";
import { createSanitizer } from "../../../lib/exec/sanitize/sanitizer.js";
import type { EngineName } from "../../../lib/exec/state/launch.js";
import { loadImage } from "../../../lib/load/load.js";
import { linkSources } from "../../../lib/index.js";
import { rounds, sample } from "../../sample.js";
import { pairFiles, pairsOf, reportFiles, runPair } from "./pairs.js";
import { randomKernel } from "./random-accesses.js";

const WORDS = 512;
const THREADS = 64;

/** Two launches of kernel `k(in, out, n)`: findings, memory and counts, and results of the screening passes. */
async function run(ptx: string, engine: EngineName, n = 0, launches = 2) {
  const process = loadImage(linkSources({ "k.ptx": ptx }));
  const sanitizer = createSanitizer(process);
  const programs = createPrograms(process, { instrument: sanitizer.instrument });
  const [input, output] = [0, 1].map(() => process.memory.allocate(4 * WORDS));
  new Uint32Array(input!.bytes.buffer, input!.bytes.byteOffset, WORDS).forEach((_, i, all) => (all[i] = i * 0x10305));
  const parameters = new Uint8Array(24);
  const view = new DataView(parameters.buffer);
  view.setBigUint64(0, BigInt(input!.base), true);
  view.setBigUint64(8, BigInt(output!.base), true);
  view.setUint32(16, n, true);
  const config = { grid: [2, 1, 1], block: [THREADS, 1, 1], sharedBytes: 0, parameters } as const;
  const counts: unknown[] = [];
  for (let i = 0; i < launches; i++) {
    const launch = createLaunch(process, process.kernels.get("k")!, config, {
      ...{ engine, programs, sanitizer, maxInstructions: 100_000 },
    });
    const { warpInstructions, threadInstructions, fault } = await launch.run();
    counts.push(warpInstructions, threadInstructions, fault?.message, process.history.warpInstructions);
  }
  const { findings, screening } = sanitizer;
  const { passed, failed } = screening;
  return { seen: { findings, counts, memory: [...input!.bytes, ...output!.bytes] }, passed, failed };
}

const kernel = (body: string): string => `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 n)
{
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>;
  .shared .align 16 .b8 tile[256];
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mad.lo.s32 %r4, %r3, 64, %r2;
  mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r5, tile; shl.b32 %r6, %r2, 2; add.s32 %r7, %r5, %r6;
${body}
  ret;
}
`;

const passing = {
  "a copy": "ld.global.u32 %r8, [%rd4]; st.global.u32 [%rd5], %r8;",
  "an update of own elements": "ld.global.u32 %r8, [%rd5]; add.s32 %r8, %r8, 1; st.global.u32 [%rd5], %r8;",
  "a tile with a barrier": `ld.global.u32 %r8, [%rd4]; st.shared.u32 [%r7], %r8; bar.sync 0;
    xor.b32 %r9, %r6, 252; add.s32 %r9, %r5, %r9; ld.shared.u32 %r10, [%r9]; st.global.u32 [%rd5], %r10;`,
  "a histogram": `mov.u32 %r8, 0; st.shared.u32 [%r7], %r8; bar.sync 0; and.b32 %r9, %r6, 28; add.s32 %r9, %r5, %r9;
    red.shared.add.u32 [%r9], 1; bar.sync 0; ld.shared.u32 %r10, [%r7]; st.global.u32 [%rd5], %r10;`,
  "bytes beside each other": `cvt.u64.u32 %rd6, %r4; add.s64 %rd7, %rd2, %rd6; st.global.u8 [%rd7], %r4;`,
  "a shuffle of whole warps": `shfl.sync.bfly.b32 %r8, %r2, 1, 31, -1; st.global.u32 [%rd5], %r8;`,
  "a loop": `mov.u32 %r8, 0; $loop: ld.global.u32 %r9, [%rd4]; add.s32 %r8, %r8, %r9; add.s32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 5; @%p1 bra $loop; st.global.u32 [%rd5], %r8;`,
} as const;

for (const [name, body] of Object.entries(passing))
  test(`${name} passes`, async (t) => {
    const [fast, reference] = [await run(kernel(body), "fast"), await run(kernel(body), "reference")];
    t.deepEqual([fast.passed, fast.failed], [2, 0]);
    t.deepEqual([reference.passed, reference.failed], [0, 0]);
    t.deepEqual(fast.seen, reference.seen);
    t.deepEqual(fast.seen.findings, []);
  });

const failing = {
  "an element behind the buffer": "st.global.u32 [%rd5+1540], %r4;",
  "an element in the next variable": `bar.sync 0; st.shared.u32 [%r7+4], %r4;`,
  "a missing barrier": `st.shared.u32 [%r7], %r2; xor.b32 %r9, %r6, 4; add.s32 %r9, %r5, %r9; ld.shared.u32 %r10, [%r9];
    st.global.u32 [%rd5], %r10;`,
  "shared memory that nothing has written": "ld.shared.u32 %r8, [%r7]; st.global.u32 [%rd5], %r8;",
  "writes of different blocks": "mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd2, %rd6; st.global.u32 [%rd7], %r4;",
  "reads and writes of different blocks": `mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd2, %rd6; ld.global.u32 %r8, [%rd7];
    st.global.u32 [%rd5], %r8;`,
  "a barrier that threads go around": `setp.ge.u32 %p1, %r2, 32; @%p1 bra $done; bar.sync 0; $done: st.global.u32 [%rd5], %r4;`,
  "a shuffle of some lanes": `setp.ge.u32 %p1, %r2, 48; @%p1 bra $done; shfl.sync.bfly.b32 %r8, %r2, 1, 31, -1; $done: ret;`,
} as const;

for (const [name, body] of Object.entries(failing))
  test(`${name} fails, and is reported`, async (t) => {
    const [fast, reference] = [await run(kernel(body), "fast"), await run(kernel(body), "reference")];
    // The second launch of the kernel is on the reference engine from the start.
    t.deepEqual([fast.passed, fast.failed], [0, 1]);
    t.deepEqual(fast.seen, reference.seen);
    t.true(fast.seen.findings.length > 0);
  });

test("registers without a value, pointers in memory and calls are handled by the reference engine", async (t) => {
  for (const body of [
    "st.global.u32 [%rd5], %r15;",
    "setp.eq.u32 %p1, %r1, 7; @%p1 mov.u32 %r8, 1; st.global.u32 [%rd5], %r8;",
    "st.global.u64 [%rd2], %rd1;",
    "ld.global.u64 %rd6, [%rd1]; ld.global.u32 %r8, [%rd6]; st.global.u32 [%rd5], %r8;",
  ]) {
    const [fast, reference] = [await run(kernel(body), "fast"), await run(kernel(body), "reference")];
    t.deepEqual([fast.passed, fast.failed], [0, 0], body);
    t.deepEqual(fast.seen, reference.seen, body);
  }
});

test("random kernels: those that pass the screening have no findings", async (t) => {
  const ends = { passed: 0, failed: 0, neither: 0 };
  for (let seed = 0; seed < rounds(60, 2); seed++) {
    const ptx = randomKernel(seed);
    const [fast, reference] = [await run(ptx, "fast", 0, 1), await run(ptx, "reference", 0, 1)];
    t.deepEqual(fast.seen, reference.seen, `${seed}\n${ptx}`);
    if (fast.passed > 0) t.deepEqual(reference.seen.findings, [], `${seed}\n${ptx}`);
    ends[fast.passed > 0 ? "passed" : fast.failed > 0 ? "failed" : "neither"]++;
  }
  t.true(ends.passed >= rounds(10, 2) && ends.failed >= rounds(10, 2), JSON.stringify(ends));
});

const pairs = [...pairFiles, ...reportFiles].flatMap(pairsOf);

for (const pair of sample(pairs, 20, { name: (each) => `${each.file} ${each.name}`, kind: (each) => each.file }))
  test(`${pair.file} ${pair.name}: both engines find the same`, async (t) => {
    for (const isBad of [true, false]) {
      const [fast, reference] = [await runPair(pair, isBad), await runPair(pair, isBad, "reference")];
      t.deepEqual(fast, reference);
    }
  });
