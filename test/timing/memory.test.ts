// The memory system: latency plateaus of a pointer chase, data-stage cycles of strides, bandwidths. Sources: RRZE, AMP.

import test from "ava";
import { long } from "../sample.js";
import { a100, codeOf, lines, slope, time, type Scenario } from "./kernels.js";

const chase = codeOf("ld.global.u64 %rd1, [%rd1]; ret;");

/** Goes round all 128-byte lines of a footprint in scattered order, all lanes on one address; the cycles of one step. */
function chaseLatency(bytes: number, model = a100): number {
  const count = Math.floor(bytes / 128);
  const steps = 20_000;
  const walk = (loads: number): Scenario => ({
    code: chase,
    path: (go) => {
      // The last of a round that came before, so that what fits is cached; its time is subtracted below.
      for (let i = -Math.min(count, 2 ** 19); i < loads; i++) {
        const line = (((i * 1_000_003) % count) + count) % count;
        go(0, { space: "global", bytes: 8, address: () => line * 128 });
      }
      go(1);
    },
  });
  return (time(walk(steps), model).cycles - time(walk(0), model).cycles) / steps;
}

test("a pointer chase shows L1 and L2 as plateaus", (t) => {
  const near = (got: number, expected: number, tolerance: number): void => {
    t.true(Math.abs(got - expected) <= expected * tolerance, `${got}, expected ${expected}`);
  };
  near(chaseLatency(32 * 1024), 33, 0.03);
  near(chaseLatency(128 * 1024), 33, 0.03);
  near(chaseLatency(256 * 1024), 205, 0.03);
  near(chaseLatency(8 * 2 ** 20), 205, 0.03);
});

long("a pointer chase through more than L2 sees DRAM", (t) => {
  const got = chaseLatency(256 * 2 ** 20);
  t.true(Math.abs(got - 552) <= 552 * 0.03, `${got}`);
});

/** Cycles that an SM takes for one warp load of `bytes` at that stride when it hits L1. */
function strideCycles(space: "global" | "shared", bytes: number, stride: number): number {
  const load = space === "global" ? "ld.global.f32 %f#, [%rd1];" : "ld.shared.f32 %f#, [%r1];";
  const code = codeOf(`${lines(8, (i) => load.replace("#", String(i)))} ret;`);
  const scenario = (repeats: number): Scenario => ({
    code,
    threads: 256,
    path: (go) => {
      for (let i = 0; i < repeats; i++)
        for (let pc = 0; pc < 8; pc++) go(pc, { space, bytes, address: (lane) => lane * stride * bytes });
      go(8);
    },
  });
  return slope(scenario, 8 * 8);
}

test("shared memory takes a cycle for each word requested of a bank", (t) => {
  for (const stride of [1, 2, 3, 4, 5, 8, 16, 31, 32, 33])
    t.is(Math.round(strideCycles("shared", 4, stride) * 100) / 100, gcd(stride, 32), `stride ${stride}`);
  t.is(Math.round(strideCycles("shared", 4, 0)), 1, "one word for all");
});

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Measured cycles per warp load that hits L1 on A100: stride in elements of 4 or 8 bytes. Source: RRZE. */
const measuredStrides: readonly (readonly [bytes: number, stride: number, cycles: number])[] = [
  [4, 0, 1.02], [4, 1, 1.02], [4, 2, 2], [4, 3, 1.63], [4, 4, 4], [4, 5, 2.2], [4, 6, 2.36], [4, 7, 2.67], [4, 8, 8],
  [4, 9, 3.03], [4, 12, 4], [4, 15, 4.45], [4, 16, 16], [4, 17, 5.1], [4, 20, 5.3], [4, 24, 8], [4, 31, 8.5],
  [4, 32, 32], [4, 33, 8.8], [4, 48, 16], [4, 64, 32], [8, 1, 2.01], [8, 2, 4], [8, 3, 2.42], [8, 4, 8], [8, 7, 4.04],
  [8, 8, 16], [8, 16, 32], [8, 17, 8.9], [8, 32, 32],
]; // prettier-ignore

test("loads that hit L1 take an A100's cycles, at strides from 0 to 64", (t) => {
  let error = 0;
  for (const [bytes, stride, cycles] of measuredStrides) {
    const got = strideCycles("global", bytes, stride);
    error += Math.abs(got - cycles) / cycles / measuredStrides.length;
    t.true(Math.abs(got - cycles) / cycles < 0.4, `${bytes} bytes, stride ${stride}: ${got}, measured ${cycles}`);
  }
  t.true(error < 0.15, `mean error ${error}`);
});

test("coalesced loads request four sectors, strided ones one for each lane", (t) => {
  const code = codeOf("ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;");
  const sectors = (stride: number): readonly number[] => {
    const { memory } = time({
      code,
      path: (go) => {
        go(0, { space: "global", bytes: 4, address: (lane) => lane * stride });
        go(1, { space: "global", bytes: 4, address: (lane) => 2 ** 20 + lane * stride });
        go(2);
      },
    });
    return [memory.sectorsPerLoad, memory.sectorsPerStore];
  };
  t.deepEqual(sectors(4), [4, 4]);
  t.deepEqual(sectors(8), [8, 8]);
  t.deepEqual(sectors(32), [32, 32]);
  t.deepEqual(sectors(128), [32, 32]);
  t.deepEqual(sectors(0), [1, 1]);
});
