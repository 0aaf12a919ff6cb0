// Arithmetic: latencies of dependent chains and the throughput of pipes, against published measurements (docs/timing.md).

import test from "ava";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { codeOf, lines, oneSm, slope, type Scenario } from "./kernels.js";

/** A body repeated along a straight path by `warps` warps of one block. */
const repeated =
  (body: string, warps = 1) =>
  (repeats: number): Scenario => {
    const code = codeOf(`${body}\nret;`);
    const last = code.instructions.length - 1;
    return {
      code,
      threads: warps * 32,
      path: (go) => {
        for (let n = 0; n < repeats; n++) for (let pc = 0; pc < last; pc++) go(pc);
        go(last);
      },
    };
  };

const chain = (op: string): string => lines(16, () => op);

/** Cycles from one instruction to the next that depends on it. Sources: AMP, NMSU, ASIM. */
const latencies: readonly (readonly [gpu: string, op: string, cycles: number, tolerance: number])[] = [
  ["a100", "fma.rn.f32 %f1, %f1, %f2, %f3;", 4, 0],
  ["a100", "add.f32 %f1, %f1, %f2;", 4, 0],
  // Two are one machine instruction, which adds three.
  ["a100", "add.s32 %r1, %r1, %r2;", 2, 0],
  ["a100", "prmt.b32 %r1, %r1, %r2, 0x3210;", 4, 0],
  ["a100", "mad.lo.s32 %r1, %r1, %r2, %r3;", 4, 0],
  ["a100", "fma.rn.f64 %d1, %d1, %d2, %d3;", 5.5, 1],
  ["a100", "rsqrt.approx.ftz.f32 %f1, %f1;", 23, 3],
  ["a100", "shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1;", 26, 3],
  ["a100", "div.u32 %r1, %r2, %r1;", 72, 15],
  ["a100", "div.u64 %rd1, %rd2, %rd1;", 420, 60],
  ["v100", "fma.rn.f32 %f1, %f1, %f2, %f3;", 4, 0],
  ["v100", "fma.rn.f64 %d1, %d1, %d2, %d3;", 8, 1],
  ["v100", "div.rn.f64 %d1, %d2, %d1;", 112, 12],
  ["v100", "sqrt.rn.f64 %d1, %d1;", 101, 12],
  ["v100", "rcp.rn.f32 %f1, %f1;", 60, 10],
  ["v100", "sqrt.rn.f32 %f1, %f1;", 60, 10],
  ["t4", "fma.rn.f64 %d1, %d1, %d2, %d3;", 45, 5],
  ["h200", "fma.rn.f32 %f1, %f1, %f2, %f3;", 4, 0],
];

for (const [gpu, op, cycles, tolerance] of latencies)
  test(`${gpu}: a chain of '${op}' takes ${cycles} cycles each`, (t) => {
    const got = slope(repeated(chain(op)), 16, oneSm(findGpu(gpu)!));
    t.true(Math.abs(got - cycles) <= tolerance, `${got}`);
  });

/** Warp instructions per cycle and SM with 16 warps and independent instructions. Sources: PG10, BPG. */
const throughputs: readonly (readonly [gpu: string, name: string, op: (i: number) => string, rate: number])[] = [
  ["a100", "fma.f32", (i) => `fma.rn.f32 %f${i}, %f40, %f41, %f42;`, 2],
  ["a100", "add.s32", (i) => `add.s32 %r${i}, %r40, %r41;`, 2],
  [
    "a100",
    "fma.f32 with add.s32",
    (i) => (i % 2 === 0 ? `fma.rn.f32 %f${i}, %f40, %f41, %f42;` : `add.s32 %r${i}, %r40, %r41;`),
    4,
  ],
  ["a100", "fma.f64", (i) => `fma.rn.f64 %d${i}, %d40, %d41, %d42;`, 1],
  ["a100", "rsqrt.approx.ftz", (i) => `rsqrt.approx.ftz.f32 %f${i}, %f40;`, 0.5],
  ["a100", "shfl.sync", (i) => `shfl.sync.bfly.b32 %r${i}, %r40, 1, 31, -1;`, 1],
  ["rtx3090", "fma.f32", (i) => `fma.rn.f32 %f${i}, %f40, %f41, %f42;`, 4],
  ["rtx3090", "fma.f64", (i) => `fma.rn.f64 %d${i}, %d40, %d41, %d42;`, 1 / 16],
  // Records: op_add_f64, op_fma_f64.
  ["h200", "add.f64", (i) => `add.f64 %d${i}, %d40, %d41;`, 2],
  ["h200", "fma.f64", (i) => `fma.rn.f64 %d${i}, %d40, %d41, %d42;`, 1.82],
];

for (const [gpu, name, op, rate] of throughputs)
  test(`${gpu}: an SM issues ${rate} ${name} a cycle`, (t) => {
    const got = 16 / slope(repeated(lines(16, op), 16), 16, oneSm(findGpu(gpu)!));
    t.true(Math.abs(got - rate) <= rate * 0.02, `${got}`);
  });

test("instructions that ptxas folds away cost nothing", (t) => {
  const folded = "mov.u32 %r1, %r2; cvta.to.global.u64 %rd1, %rd2; ld.param.u64 %rd3, [p]; mov.u32 %r4, %ntid.x;";
  t.is(slope(repeated(folded), 4), 0);
});

test("a copy is ready when its source is", (t) => {
  const body = lines(8, () => "fma.rn.f32 %f1, %f2, %f3, %f3; mov.f32 %f2, %f1;");
  t.is(slope(repeated(body), 8), 4);
});
