// The parts of a result add up: what instructions cost is what the launch cost, and the timeline is the launch.

import test from "ava";
import { atOnce } from "../../lib/base/steps.js";
import { createLaunch } from "../../lib/exec/launch/launch.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { timeLaunch } from "../../lib/timing/time-launch.js";
import { loadText } from "../exec/pipeline.js";

const text = `.version 8.0
.target sm_80
.address_size 64
.file 1 "scale.cu"
.visible .entry scale(.param .u64 data)
{
  .reg .b32 %r<5>; .reg .b64 %p<4>; .reg .f32 %f<4>;
  .shared .align 4 .f32 tile[128];
  .loc 1 5 0
  ld.param.u64 %p1, [data];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %p2, %r4, 4;
  add.u64 %p3, %p1, %p2;
  .loc 1 6 0
  ld.global.f32 %f1, [%p3];
  .loc 1 7 0
  fma.rn.f32 %f2, %f1, %f1, %f1;
  bar.sync 0;
  st.global.f32 [%p3], %f2;
  ret;
}
`;

const grid = [4, 1, 1] as const;
const block = [128, 1, 1] as const;

function timed(): TimingResult {
  const process = loadText(text);
  const kernel = process.kernels.get("scale")!;
  const data = process.memory.allocate(4 * 128 * 4);
  const parameters = new Uint8Array(8);
  new DataView(parameters.buffer).setBigUint64(0, BigInt(data.base), true);
  const shape = { grid, block, sharedBytes: 0, parameters };
  const launch = createLaunch(process, kernel, shape);
  return atOnce(timeLaunch(launch, kernel, shape, findGpu("a100"), { events: { sms: [0, 1], limit: 1000 } }));
}

const result = timed();
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test("instructions have their lines and texts, and their costs add up to the launch's", (t) => {
  const { instructions, warpInstructions, threadInstructions, issuedInstructions, stalls } = result;
  t.is(sum(instructions.map(({ executed }) => executed)), warpInstructions);
  t.is(sum(instructions.map(({ threads }) => threads)), threadInstructions);
  t.is(sum(instructions.map(({ issued }) => issued)), issuedInstructions);
  const cycles = sum(instructions.flatMap(({ stallCycles }) => Object.values(stallCycles)));
  const waited = sum(instructions.map(({ stallCycles }) => stallCycles.long_scoreboard ?? 0));
  t.true(Math.abs(waited / cycles - stalls.long_scoreboard) < 1e-6);
  const load = instructions.find((row) => row.text?.startsWith("ld.global") === true)!;
  t.like(load, { function: "scale", source: { file: "scale.cu", line: 6 }, executed: 16, threads: 512 });
  t.like(load.memory, { space: "global", requests: 16, sectorsPerRequest: 4, leastSectorsPerRequest: 4 });
});

test("a fused multiply-add counts as two operations; peaks are the data sheet's", (t) => {
  t.deepEqual(result.work, { f16: 0, f32: 2 * 512, f64: 0, tensor: 0 });
  t.is(Math.round(result.peak.f32 / 1e11) / 10, 19.5);
  t.is(Math.round(result.peak.f64 / 1e11) / 10, 9.7);
});

test("the timeline has the launch's instructions, bytes and warps", (t) => {
  const { timeline, cycles, ipc, occupancy, memory } = result;
  const covered = (i: number): number => Math.min(timeline.cyclesPerSample, cycles - i * timeline.cyclesPerSample);
  const total = (series: readonly number[]): number => sum(series.map((rate, i) => rate * covered(i)));
  const close = (a: number, b: number): boolean => Math.abs(a - b) <= 0.01 * b;
  t.true(close(total(timeline.ipc), ipc * cycles));
  t.true(close(total(timeline.occupancy), occupancy.achieved * cycles));
  t.true(close(total(timeline.dramBytesPerCycle), memory.dramReadBytes + memory.dramWriteBytes));
});

test("events of the traced SMs: warps in their slots, spans in sequence", (t) => {
  const { warps, spans, requests, isCut } = result.events!;
  t.false(isCut);
  t.deepEqual(
    warps.map(({ sm, subcore, slot, block, warp }) => [sm, subcore, slot, block, warp]),
    [0, 1].flatMap((sm) => [0, 1, 2, 3].map((warp) => [sm, warp, 0, sm, warp])),
  );
  for (const warp of warps) {
    const own = spans.filter((span) => span.warp === warp);
    t.is(own[0]!.from, warp.start);
    t.is(own.at(-1)!.to, warp.end);
    own.slice(1).forEach((span, i) => t.is(span.from, own[i]!.to));
    t.deepEqual(
      requests.filter((request) => request.warp === warp).map(({ space }) => space),
      ["global", "global"],
    );
  }
});
