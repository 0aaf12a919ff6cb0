// Rules say what is so, at the instruction that does it, and say nothing of kernels that do well.

import test from "ava";
import { scaledDown } from "../../lib/timing/gpus/model.js";
import type { TimingOptions } from "../../lib/timing/time-launch.js";
import { a100, codeOf, oneSm, time, type Scenario } from "./kernels.js";

const rulesOf = (scenario: Scenario, model = oneSm(a100), options?: TimingOptions): readonly string[] =>
  time(scenario, model, options).advice.map(({ rule }) => rule);

const load = codeOf("ld.global.f32 %f1, [%rd1]; st.global.f32 [%rd2], %f1; ret;");

function strided(bytes: number): Scenario {
  return {
    code: load,
    threads: 1024,
    path: (go, _block, warp) => {
      go(0, { space: "global", bytes: 4, address: (lane) => 2 ** 32 + 2 ** 16 * warp + bytes * lane });
      go(1, { space: "global", bytes: 4, address: (lane) => 2 ** 34 + 128 * warp + 4 * lane });
      go(2);
    },
  };
}

test("loads with scattered lanes are uncoalesced; the profile counts their sectors", (t) => {
  t.deepEqual(rulesOf(strided(4)), []);
  const { advice, instructions, memory } = time(strided(64), oneSm(a100));
  t.deepEqual(
    advice.map(({ rule, instruction, place }) => [rule, instruction, place?.line]),
    [["uncoalesced", 0, load.instructions[0]!.line]],
  );
  t.like(instructions[0]!.memory, { requests: 32, sectorsPerRequest: 32, leastSectorsPerRequest: 4 });
  t.like(memory, { loads: 32, stores: 32, sectorsPerLoad: 32, sectorsPerStore: 4 });
});

test("a broadcast is coalesced", (t) => {
  t.deepEqual(rulesOf(strided(0)), []);
});

test("accesses of shared memory in one bank conflict, those of 16 bytes by their phases", (t) => {
  const code = codeOf("ld.shared.f32 %f1, [%r1]; ret;");
  const scenario = (bytes: number, stride: number): Scenario => ({
    code,
    threads: 1024,
    path: (go) => {
      go(0, { space: "shared", bytes, address: (lane) => stride * lane });
      go(1);
    },
  });
  t.deepEqual(rulesOf(scenario(4, 4)), []);
  t.deepEqual(rulesOf(scenario(16, 16)), []);
  const { advice } = time(scenario(4, 128), oneSm(a100));
  t.is(advice[0]?.rule, "bank-conflicts");
  t.true(advice[0]!.message.startsWith("32-way bank conflicts"));
});

test("branches that diverge within warps are reported", (t) => {
  const code = codeOf("setp.eq.u32 %p1, %r1, 0; @%p1 bra L; add.u32 %r2, %r2, 1; L: ret;");
  const { advice, instructions } = time(
    {
      code,
      threads: 1024,
      path: (go) => {
        go(0);
        go(1, undefined, 0xff);
        for (let i = 0; i < 4; i++) go(2, undefined, 0xff00);
        go(3);
      },
    },
    oneSm(a100),
  );
  t.is(instructions.find(({ number }) => number === 1)?.diverged, 32);
  t.deepEqual(
    advice.map(({ rule, instruction }) => [rule, instruction]),
    [["divergence", 1]],
  );
});

test("a launch is advised on its grid, its blocks and their resources", (t) => {
  const code = codeOf("ret;");
  const gpu = scaledDown(a100, 54);
  t.deepEqual(rulesOf({ code, threads: 1024, blocks: 1 }, gpu), ["few-blocks"]);
  t.deepEqual(rulesOf({ code, threads: 1024, blocks: 5 }, gpu), ["tail"]);
  t.deepEqual(rulesOf({ code, threads: 1000, blocks: 4 }, gpu), ["partial-warps"]);
  const { advice } = time({ code, threads: 256, blocks: 2 }, gpu, { registers: 128 });
  t.deepEqual(
    advice.map(({ rule }) => rule),
    ["low-occupancy"],
  );
  t.regex(advice[0]!.message, /^16 of 64 warps fit on an SM: a thread takes 128 registers$/);
  t.regex(advice[0]!.remedy, /^with 80 registers 3 blocks would fit instead of 2/);
});
