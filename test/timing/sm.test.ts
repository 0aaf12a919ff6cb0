// What keeps warps from issuing, and in which order they do.

import test from "ava";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { stallNames, type StallName } from "../../lib/timing/trace/stalls.js";
import { a100, codeOf, lines, oneSm, slope, time, type Scenario } from "./kernels.js";

/** The largest share but for instructions issued. */
function mainStall({ stalls }: TimingResult): StallName {
  return stallNames.filter((name) => name !== "selected").reduce((a, b) => (stalls[b] > stalls[a] ? b : a));
}

const stallOf = (scenario: Scenario): StallName => mainStall(time(scenario));

test("each kind of wait has its stall reason", (t) => {
  const global = codeOf(`${lines(16, () => "ld.global.u64 %rd1, [%rd1];")} ret;`);
  const far: Scenario = {
    code: global,
    path: (go) =>
      global.instructions.forEach((_, pc) =>
        pc < 16 ? go(pc, { space: "global", bytes: 8, address: () => pc * 4096 }) : go(pc),
      ),
  };
  t.is(stallOf(far), "long_scoreboard");
  t.is(stallOf({ code: codeOf(`${lines(64, () => "fma.rn.f32 %f1, %f1, %f1, %f1;")} ret;`) }), "wait");
  t.is(stallOf({ code: codeOf(`${lines(64, () => "sqrt.approx.ftz.f32 %f1, %f1;")} ret;`) }), "short_scoreboard");
  const independent = lines(16, (i) => `sqrt.approx.ftz.f32 %f${i}, %f40;`);
  t.is(stallOf({ code: codeOf(`${independent} ret;`), threads: 1024 }), "math_pipe_throttle");
  const halves = lines(32, (i) => `add.f16 %h${i % 16}, %h30, %h31;`);
  t.is(stallOf({ code: codeOf(`${halves} ret;`), threads: 1024 }), "not_selected");
  t.is(stallOf({ code: codeOf("L: bra L; ret;"), path: (go) => repeat(100, () => go(0)) }), "branch_resolving");
});

test("shared accesses that queue are mio_throttle, global ones lg_throttle", (t) => {
  const of = (space: "shared" | "global"): Scenario => {
    const code = codeOf(`${lines(16, (i) => `st.${space}.u32 [%r${space === "global" ? "d" : ""}1], %r${i};`)} ret;`);
    return {
      code,
      threads: 1024,
      path: (go) => {
        for (let pc = 0; pc < 16; pc++) go(pc, { space, bytes: 4, address: (lane) => lane * 128 });
        go(16);
      },
    };
  };
  t.is(stallOf(of("shared")), "mio_throttle");
  t.is(stallOf(of("global")), "lg_throttle");
});

function repeat(times: number, action: () => void): void {
  for (let i = 0; i < times; i++) action();
}

test("warps wait at a barrier for the slowest, and continue together", (t) => {
  const code = codeOf(`add.f32 %f1, %f1, %f2; bar.sync 0; ${lines(4, () => "add.f32 %f1, %f1, %f2;")} ret;`);
  const result = time({
    code,
    threads: 128,
    path: (go, _block, warp) => {
      repeat(warp === 0 ? 1000 : 1, () => go(0));
      for (let pc = 1; pc < code.instructions.length; pc++) go(pc);
    },
  });
  t.true(result.cycles > 4000 && result.cycles < 4400, `${result.cycles}`);
  t.is(mainStall(result), "barrier");
  t.true(result.stalls.barrier > 0.7 && result.stalls.barrier < 0.76, `${result.stalls.barrier}`);
});

test("named barriers wait for the threads that they count", (t) => {
  const code = codeOf("bar.sync 1, 64; bar.arrive 2, 64; bar.sync 2, 64; ret;");
  const result = time({
    code,
    threads: 128,
    path: (go, _block, warp) => {
      if (warp < 2) go(0);
      if (warp === 2) go(1);
      if (warp === 3) go(2);
      go(3);
    },
  });
  t.true(result.cycles < 400, `${result.cycles}`);
});

test("a trace whose barriers do not match still ends", (t) => {
  const code = codeOf("bar.sync %r1; bar.sync 3, 96; ret;");
  const result = time({
    code,
    threads: 64,
    path: (go, _block, warp) => {
      go(0);
      if (warp === 0) {
        go(0);
        go(1);
      }
      go(2);
    },
  });
  t.true(result.cycles < 1000);
});

test("more warps hide latency until the pipe is full", (t) => {
  const chain = codeOf(`${lines(64, () => "fma.rn.f32 %f1, %f1, %f1, %f1;")} ret;`);
  const launch = a100.dispatch.latencyCycles;
  const cycles = [4, 8, 16, 32].map((warps) => time({ code: chain, threads: warps * 32 }).cycles - launch);
  t.true(cycles[1]! < cycles[0]! * 1.1, "eight warps take no longer than four");
  t.true(cycles[2]! > cycles[1]! * 1.7 && cycles[3]! > cycles[2]! * 1.8, `${cycles.join(" ")}`);
});

test("atomics on one address are serialised, on different addresses they are not", (t) => {
  const code = codeOf(`${lines(8, () => "red.global.add.u32 [%rd1], %r1;")} ret;`);
  const cycles = (stride: number): number =>
    slope(
      (repeats): Scenario => ({
        code,
        threads: 1024,
        path: (go) => {
          repeat(repeats, () => {
            for (let pc = 0; pc < 8; pc++) go(pc, { space: "global", bytes: 4, address: (lane) => lane * stride });
          });
          go(8);
        },
      }),
      8 * 32,
    );
  t.true(cycles(0) > 20, `${cycles(0)}`);
  t.true(cycles(4) < cycles(0) / 3, `${cycles(4)} and ${cycles(0)}`);
});

test("a chain of global atomics takes the latency measured", (t) => {
  const code = codeOf(`${lines(8, () => "atom.global.add.u32 %r1, [%rd1], %r1;")} ret;`);
  const scenario = (repeats: number): Scenario => ({
    code,
    path: (go) => {
      repeat(repeats, () => {
        for (let pc = 0; pc < 8; pc++) go(pc, { space: "global", bytes: 4, address: () => 0 }, 1);
      });
      go(8);
    },
  });
  const got = slope(scenario, 8, oneSm(findGpu("v100")!));
  t.true(Math.abs(got - 244) < 10, `${got}`);
});

test("a fence waits for stores", (t) => {
  const code = codeOf("st.global.u32 [%rd1], %r1; membar.gl; ret;");
  const result = time({
    code,
    path: (go) => {
      go(0, { space: "global", bytes: 4, address: (lane) => lane * 4 });
      go(1);
      go(2);
    },
  });
  t.is(mainStall(result), "membar");
});

test("blocks are distributed over the SMs before two share one", (t) => {
  const code = codeOf(`${lines(32, (i) => `sqrt.approx.ftz.f32 %f${i % 16}, %f40;`)} ret;`);
  const cycles = (blocks: number): number => time({ code, blocks, threads: 512 }, a100).cycles;
  t.true(cycles(108) < cycles(1) + 200, "one block on each");
  t.true(cycles(216) > cycles(108) * 1.5, "two blocks share the pipe");
  const { occupancy } = time({ code, blocks: 864, threads: 512 }, a100);
  t.true(occupancy.achieved > 0.5 && occupancy.achieved <= 1);
});
