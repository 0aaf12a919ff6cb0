// A sample of what `npm run validate:timing` holds against an H200: kernels and microbenchmarks that take little time to run.

import test from "ava";
import { sample } from "../sample.js";
import { predict, predictClocks } from "../../bench/validation/predict.js";
import {
  kernelRunnable,
  measureOf,
  microRunnable,
  readKernelCases,
  readMicroCases,
  recordsFolder,
} from "../../bench/validation/records.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";

const kernels = readKernelCases(recordsFolder);
const micros = readMicroCases(recordsFolder);

for (const id of sample(["hist_global_one", "transpose_naive_a", "chase_small", "callchain_a", "mm_tiled_a"], 5))
  test(`${id} takes what an H200 took, within 35 %`, async (t) => {
    const one = kernels.find((each) => each.id === id)!;
    const [timing] = await predict(kernelRunnable(recordsFolder, one), findGpu("h200"));
    const ratio = timing!.cycles / one.measured[0]!.cold.cycles;
    t.true(ratio > 0.65 && ratio < 1.35, `${ratio}`);
  });

for (const id of sample(["op_mul_lo_u32", "op_not_b32", "op_shfl_bfly", "stg_s32", "atoms_add_spread", "bar_sync"], 6))
  test(`${id} agrees with the H200's figures within 10 %`, async (t) => {
    const one = micros.find((each) => each.id === id)!;
    const cycles = await predictClocks(microRunnable(recordsFolder, one), findGpu("h200")!);
    for (const measure of one.measures.filter(({ name }) => !/_?4w|^1w/.test(name))) {
      const got = measureOf(measure, cycles);
      t.true(Math.abs(got - measure.measured) < 0.1 * measure.measured, `${measure.name}: ${got}, ${measure.measured}`);
    }
  });
