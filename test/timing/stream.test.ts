// Streams over DRAM at rising occupancy, against what an A100-80 reaches (source RRZE, gpu-stream): one element of 8 bytes per
// thread, and so many blocks on an SM as given. Simulated on a thirty-sixth of the GPU.

import test from "ava";
import { isAll, sample } from "../sample.js";
import { scaledDown } from "../../lib/timing/gpus/model.js";
import { a100, codeOf, time } from "./kernels.js";

const index = `mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
  setp.ge.s32 %p1, %r4, %r5; @%p1 bra E; mul.wide.s32 %rd5, %r4, 8; add.s64 %rd1, %rd6, %rd5; add.s64 %rd2, %rd7, %rd5;`;

const load = (register: number): string => `ld.global.f64 %d${register}, [%rd1];`;

const kernels = {
  init: { body: "st.global.f64 [%rd2], %d9;", streams: 1 },
  read: { body: `${load(1)} setp.neu.f64 %p2, %d1, %d2; @%p2 bra E;`, streams: 1 },
  scale: { body: `${load(1)} mul.f64 %d2, %d1, %d3; st.global.f64 [%rd2], %d2;`, streams: 2 },
  triad: {
    body: `${load(1)} ${load(2)} ${load(3)} fma.rn.f64 %d4, %d1, %d2, %d3; st.global.f64 [%rd2], %d4;`,
    streams: 4,
  },
} as const;

const parts = 36;
/** Enough that what stays in the L2 does not matter. */
const bytesMoved = 8 * 2 ** 20;

function bandwidth(kernel: keyof typeof kernels, threads: number, blocksPerSm: number): number {
  const model = scaledDown(a100, parts);
  const { body, streams } = kernels[kernel];
  const code = codeOf(`${index} ${body} E: ret;`);
  const bytes = streams * 8 * threads;
  const blocks = Math.max(model.sms * blocksPerSm * 4, Math.ceil(Math.min(bytesMoved / bytes, 1500)));
  const result = time(
    {
      code,
      blocks,
      threads,
      sharedBytes: blocksPerSm === 1 ? 100_000 : 70_000,
      path: (go, block, warp) => {
        const first = (block * threads + warp * 32) * 8;
        let stream = 0;
        code.instructions.forEach(({ opcode }, pc) => {
          const name = opcode.form.opcode;
          if (name !== "ld" && name !== "st") return go(pc);
          const base = first + stream++ * 2 ** 30;
          go(pc, { space: "global", bytes: 8, address: (lane) => base + lane * 8 });
        });
      },
    },
    model,
    { registers: 16 },
  );
  return ((blocks * bytes) / (result.microseconds * 1e3)) * parts;
}

/** GB/s on the whole GPU. */
const measured: readonly (readonly [threads: number, blocksPerSm: number, kernel: keyof typeof kernels, rate: number])[] = [
  [32, 1, "read", 42],
  [64, 2, "init", 406], [64, 2, "read", 166], [64, 2, "scale", 303], [64, 2, "triad", 534],
  [256, 2, "read", 615], [256, 2, "scale", 1025],
  [1024, 2, "read", 1776], [1024, 2, "scale", 1737], [1024, 2, "triad", 1794],
]; // prettier-ignore

test("streams reach the bandwidth of A100-80 from one warp on an SM to 64", (t) => {
  let error = 0;
  const some = sample(measured, 6, { name: String });
  for (const [threads, blocksPerSm, kernel, rate] of some) {
    const got = bandwidth(kernel, threads, blocksPerSm);
    error += Math.abs(got - rate) / rate / some.length;
    t.true(Math.abs(got - rate) < rate * 0.15, `${kernel}, ${blocksPerSm} x ${threads}: ${got}, measured ${rate}`);
  }
  if (isAll) t.true(error < 0.08, `mean error ${error}`);
  t.log(`mean error ${(error * 100).toFixed(1)} %`);
});
