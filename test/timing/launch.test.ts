// The model on launches of the engine: answers stay what they are without it, and its counts are the engine's.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { sample } from "../sample.js";
import { atOnce } from "../../lib/base/steps.js";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { runSpec, type RunReport } from "../../lib/report/run.js";
import { timedOn } from "../../lib/report/timed.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { scaledDown, type GpuModel } from "../../lib/timing/gpus/model.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { timeLaunch } from "../../lib/timing/time-launch.js";
import { openDevice } from "../../lib/exec/device/device.js";
import { createLaunch, type Launch } from "../../lib/exec/launch/launch.js";
import { variableBytes } from "../../lib/load/load.js";
import { loadSources, loadText } from "../exec/pipeline.js";

const programs = fileURLToPath(new URL("../../../testdata/programs/", import.meta.url));

/** Runs a program of testdata/programs, on a model when one is given. */
async function run(name: string, model?: GpuModel): Promise<RunReport<TimingResult>> {
  const read = (file: string): Uint8Array => readFileSync(path.join(programs, name, file));
  const { modules } = JSON.parse(Buffer.from(read("program.json")).toString()) as { modules: string[] };
  const process = loadSources(modules.map((file) => ({ name: file, bytes: read(file) })));
  const sink = createSink();
  const spec = readLaunchSpec({ name: "launch.json", bytes: read("launch.json") }, sink, { readFile: read });
  const report = await runSpec<TimingResult>(process, spec!, sink, {
    ...(model && { time: (launch, kernel, shape) => atOnce(timeLaunch(launch, kernel, shape, model)) }),
  });
  return report!;
}

const timedPrograms = [
  "saxpy",
  "reduce",
  "scan",
  "matmul",
  "histogram",
  "recursion",
  "barrier-votes",
  "function-pointers",
  "cluster",
  "last-block",
];

for (const name of sample(timedPrograms, 8))
  test(`${name}: the same results with and without a model`, async (t) => {
    const plain = await run(name);
    const timed = await run(name, findGpu("a100")!);
    t.deepEqual(timed.outputs, plain.outputs);
    t.is(timed.printf, plain.printf);
    for (const [i, launch] of timed.launches.entries()) {
      const { timing } = launch;
      t.is(timing!.warpInstructions, plain.launches[i]!.warpInstructions);
      t.is(timing!.threadInstructions, plain.launches[i]!.threadInstructions);
      t.is(timing!.blocks, launch.grid[0] * launch.grid[1] * launch.grid[2]);
      t.true(timing!.cycles > 0 && Number.isFinite(timing!.cycles));
      const stalls = Object.values(timing!.stalls).reduce((sum, share) => sum + share, 0);
      t.true(Math.abs(stalls - 1) < 1e-9, `stall reasons add up to ${stalls}`);
    }
  });

test("a launch finds in the L2 what the previous one left, unless caches are cold", async (t) => {
  const device = openDevice(loadText(touching).image, { time: timedOn(findGpu("h200")) });
  const cold = openDevice(loadText(touching).image, { time: timedOn(findGpu("h200"), { warm: false }) });
  const twice = async (on: typeof device): Promise<readonly number[]> => {
    const first = await on.launch("touch", { grid: 64, block: 128 });
    const second = await on.launch("touch", { grid: 64, block: 128 });
    return [first, second].map(({ timing }) => timing!.cycles);
  };
  const [first, second] = await twice(device);
  t.true(second! < first! * 0.8, `${first} and ${second}`);
  const [once, again] = await twice(cold);
  t.is(once, first);
  t.is(again, once);
});

const touching = `
.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 data[8192];
.visible .entry touch()
{
	.reg .b32 %r<5>; .reg .b64 %rd<4>;
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.s32 %r3, %r1, 128, %r2;
	mul.wide.s32 %rd1, %r3, 4; mov.u64 %rd2, data; add.s64 %rd3, %rd2, %rd1;
	ld.global.u32 %r4, [%rd3]; add.s32 %r4, %r4, 1; st.global.u32 [%rd3], %r4;
	ret;
}`;

test("the same launch takes the same time on every run", async (t) => {
  const model = findGpu("t4")!;
  t.deepEqual((await run("matmul", model)).launches, (await run("matmul", model)).launches);
});

test("a launch takes a whole number of cycles, though pipes are busy for fractions", (t) => {
  const process = loadText(`.version 8.0\n.target sm_90\n.address_size 64
.visible .global .u32 out;
.func f() { .reg .b32 %b; mov.u32 %b, %tid.x; mul.hi.u32 %b, %b, %b; st.global.u32 [out], %b; ret; }
.visible .entry k() { call f; call f; ret; }`);
  const kernel = process.kernels.get("k")!;
  const shape = { grid: [4, 1, 1], block: [512, 1, 1], sharedBytes: 0 } as const;
  const launch = createLaunch(process, kernel, { ...shape, parameters: new Uint8Array() }, {});
  const { cycles } = atOnce(timeLaunch(launch, kernel, shape, findGpu("h200")!));
  t.is(cycles, Math.ceil(cycles));
});

test("a GPU with more of every resource is not slower", async (t) => {
  const time = async (gpu: GpuModel): Promise<number> =>
    (await run("matmul", gpu)).launches.reduce((sum, { timing }) => sum + timing!.microseconds, 0);
  const h200 = findGpu("h200")!;
  t.true((await time(h200)) <= (await time(scaledDown(h200, 33))));
});

const waiting = `
.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 flag = 0;
.visible .global .u32 seen = 0;
.visible .entry wait()
{
	.reg .pred %p; .reg .b32 %r<3>;
	mov.u32 %r1, %ctaid.x;
	setp.eq.u32 %p, %r1, 5;
	@%p bra SET;
AGAIN:
	ld.volatile.global.u32 %r2, [flag];
	setp.eq.u32 %p, %r2, 0;
	@%p bra AGAIN;
	red.global.add.u32 [seen], %r2;
	ret;
SET:
	st.volatile.global.u32 [flag], 7;
	ret;
}`;

test("blocks that wait for a later one are timed, each by its own work", async (t) => {
  const gpu = findGpu("a100")!;
  const seen = async (model: GpuModel | undefined): Promise<readonly number[]> => {
    const process = loadText(waiting);
    const kernel = process.kernels.get("wait")!;
    const shape = { grid: [8, 1, 1], block: [32, 1, 1], sharedBytes: 0 } as const;
    const launch = createLaunch(process, kernel, { ...shape, parameters: new Uint8Array() }, { maxInstructions: 1e7 });
    const timing = model === undefined ? undefined : atOnce(timeLaunch(launch, kernel, shape, model));
    const result = timing === undefined ? await launch.run() : launch.result();
    t.is(result.fault, undefined);
    if (timing !== undefined) t.is(timing.warpInstructions, result.warpInstructions);
    return [
      ...variableBytes(
        process,
        process.variables.find(({ name }) => name === "seen")!,
      ),
    ];
  };
  const alone = await seen(undefined);
  const sum = 7 * 7 * 32; // seven blocks of 32 threads add 7
  t.deepEqual(alone, [sum & 255, sum >> 8, 0, 0]);
  t.deepEqual(await seen(gpu), alone);
});

const endless = `
.version 8.0
.target sm_80
.address_size 64
.visible .entry endless()
{
	.reg .b32 %r;
AGAIN:
	add.u32 %r, %r, 1;
	bra AGAIN;
}
.visible .global .u32 word;
.visible .entry writes()
{
	.reg .b32 %r;
AGAIN:
	st.global.u32 [word], %r;
	bra AGAIN;
}
.visible .entry ends()
{
	.reg .b32 %r; .reg .pred %p;
AGAIN:
	add.u32 %r, %r, 1;
	setp.lt.u32 %p, %r, 8000;
	@%p bra AGAIN;
	ret;
}`;

/** A signal that comes with the next turn of the event loop. */
function soon(): AbortSignal {
  const controller = new AbortController();
  setImmediate(() => controller.abort());
  return controller.signal;
}

test("an abort stops a timed launch, which reports its threads' places and is timed up to there", async (t) => {
  const device = openDevice(loadText(endless).image, { time: timedOn(findGpu("a100")!) });
  const { fault, timing, warpInstructions } = await device.launch("endless", { grid: 4, block: 64, signal: soon() });
  t.is(fault?.kind, "interrupted");
  t.regex(fault!.details![0]!, /^warps? 0.*: (add\.u32|bra) in endless/);
  t.true(warpInstructions > 0 && timing!.cycles > 0);
  // The device goes on.
  t.is((await device.launch("ends", { grid: 1, block: 32 })).fault, undefined);
});

test("an abort after all blocks have run stops only the replay", async (t) => {
  const model = findGpu("a100")!;
  const process = loadText(endless);
  const kernel = process.kernels.get("ends")!;
  const shape = { grid: [16, 1, 1], block: [32, 1, 1], sharedBytes: 0 } as const;
  const controller = new AbortController();
  const begin = (): Launch =>
    createLaunch(process, kernel, { ...shape, parameters: new Uint8Array() }, { signal: controller.signal });
  const undisturbed = begin();
  const whole = atOnce(timeLaunch(undisturbed, kernel, shape, model));
  const { warpInstructions } = undisturbed.result();

  const launch = begin();
  const steps = timeLaunch(launch, kernel, shape, model);
  let step = steps.next();
  while (launch.result().warpInstructions < warpInstructions) step = steps.next();
  t.not(step.done, true);
  controller.abort();
  while (step.done !== true) step = steps.next();
  t.true(step.value.cycles < whole.cycles, `${step.value.cycles} of ${whole.cycles}`);
  const { fault, ...rest } = launch.result();
  t.is(fault?.kind, "interrupted");
  t.is(rest.warpInstructions, warpInstructions);
});

test("the trace of an endless block stays within its memory limit", (t) => {
  const process = loadText(endless);
  const kernel = process.kernels.get("writes")!;
  const shape = { grid: [4, 1, 1], block: [64, 1, 1], sharedBytes: 0 } as const;
  const launch = createLaunch(process, kernel, { ...shape, parameters: new Uint8Array() }, { maxInstructions: 1e7 });
  atOnce(timeLaunch(launch, kernel, shape, findGpu("a100")!, { mostTraceBytes: 2 ** 20 }));
  const { fault, warpInstructions } = launch.result();
  t.like(fault, { kind: "instruction-limit", kernel: "writes", block: [0, 0, 0] });
  t.regex(fault!.message, /than a GPU model keeps, 1048576 bytes/);
  t.regex(fault!.details![0]!, /^warps? 0.*: (st\.global\.u32|bra) in writes/);
  // 16 bytes for each time around, arrays up to twice of it.
  t.true(warpInstructions < 2 ** 20);
});
