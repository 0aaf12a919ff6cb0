// Clocks read the model's time where a kernel looks at them: the kernels here measure themselves, as microbenchmarks do.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { readLaunchSpec } from "../../lib/load/launch-spec.js";
import { runSpec } from "../../lib/report/run.js";
import { timedOn } from "../../lib/report/timed.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import { scaledDown } from "../../lib/timing/gpus/model.js";
import { loadText } from "../exec/pipeline.js";

const h200 = findGpu("h200")!;
const model = scaledDown(h200, h200.sms);

/** Runs `body`, which leaves one u64 a thread in %out, with so many threads, in a block or a cluster of blocks; what it left there, and the launch's cycles. */
async function measure(
  body: string,
  threads: number,
  cluster?: number,
): Promise<{ readonly out: BigUint64Array; readonly cycles: number }> {
  const process = loadText(`.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<16>; .reg .b64 %out; .reg .f32 %f<16>;
  .shared .align 16 .b8 tile[4096];
  mov.u32 %r0, %tid.x;
  ${body}
  ld.param.u64 %rd0, [p];
  mov.u32 %r14, %ctaid.x; mov.u32 %r15, %ntid.x; mad.lo.u32 %r0, %r14, %r15, %r0;
  mul.wide.u32 %rd1, %r0, 8;
  add.u64 %rd0, %rd0, %rd1;
  st.global.u64 [%rd0], %out;
  ret;
}
`);
  const bytes = Buffer.from(
    JSON.stringify({
      buffers: { x: { type: "u64", length: threads * (cluster ?? 1) } },
      launches: [
        {
          kernel: "k",
          grid: [cluster ?? 1],
          block: [threads],
          ...(cluster === undefined ? {} : { cluster: [cluster] }),
          args: [{ buffer: "x" }],
        },
      ],
      outputs: ["x"],
    }),
  );
  const sink = createSink();
  const spec = readLaunchSpec({ name: "spec.json", bytes }, sink, { readFile: () => new Uint8Array(0) });
  const report = (await runSpec(process, spec!, sink, { time: timedOn(model) }))!;
  const left = report.outputs[0]!.bytes.slice();
  return { out: new BigUint64Array(left.buffer), cycles: report.launches[0]!.timing!.cycles };
}

const between = (work: string): string =>
  `mov.u64 %rd2, %clock64; ${work} mov.u64 %rd3, %clock64; sub.u64 %out, %rd3, %rd2;`;

test("a chain of fused multiply-adds takes 4 cycles each by the kernel's own clock", async (t) => {
  const chain = (length: number): string => between("fma.rn.f32 %f1, %f1, %f2, %f3; ".repeat(length));
  const [short, long] = [await measure(chain(16), 32), await measure(chain(80), 32)];
  t.is((Number(long.out[0]) - Number(short.out[0])) / 64, 4);
  t.true(long.out.every((cycles) => cycles === long.out[0]));
});

test("a dependent load of shared memory takes 23 cycles, by any warp's clock", async (t) => {
  const chase = (length: number): string =>
    `mov.u32 %r1, tile; st.shared.u32 [%r1], %r1; bar.sync 0; ${between("ld.shared.u32 %r1, [%r1]; ".repeat(length))}`;
  const [short, long] = [await measure(chase(8), 64), await measure(chase(24), 64)];
  for (const thread of [0, 63]) t.is((Number(long.out[thread]) - Number(short.out[thread])) / 16, 23);
});

test("a loop that waits for the clock ends when the model's time has come", async (t) => {
  const { out, cycles } = await measure(
    `mov.u64 %rd2, %clock64;
LOOP: mov.u64 %rd3, %clock64; sub.u64 %out, %rd3, %rd2; setp.lt.u64 %p1, %out, 2000; @%p1 bra LOOP;`,
    64,
  );
  t.true(
    out.every((waited) => waited >= 2000n && waited < 2100n),
    `${out[0]}`,
  );
  t.true(cycles >= 2000 && cycles < 4000, `${cycles}`);
});

test("%globaltimer gives nanoseconds of the same time", async (t) => {
  const { out } = await measure(
    `mov.u64 %rd4, %globaltimer; mov.u64 %rd2, %clock64;
LOOP: mov.u64 %rd3, %clock64; sub.u64 %out, %rd3, %rd2; setp.lt.u64 %p1, %out, 19800; @%p1 bra LOOP;
mov.u64 %rd5, %globaltimer; sub.u64 %out, %rd5, %rd4;`,
    32,
  );
  t.true(out[0]! >= 9_968n && out[0]! <= 10_112n, `${out[0]}`);
  t.is(out[0]! % 32n, 0n);
});

test("a warp may wait at an mbarrier while another has not yet read its clock", async (t) => {
  const meet = `
    mov.u32 %r1, tile; setp.eq.u32 %p0, %r0, 0; @%p0 mbarrier.init.shared.b64 [%r1], 64; bar.sync 0;
    mov.u64 %rd2, %clock64;
    mbarrier.arrive.shared.b64 %rd4, [%r1];
    wait: mbarrier.try_wait.parity.shared.b64 %p1, [%r1], 0; @!%p1 bra wait;
    mov.u64 %rd3, %clock64; sub.u64 %out, %rd3, %rd2;`;
  const { out } = await measure(meet, 64);
  t.true(
    out.every((cycles) => cycles > 40n && cycles < 120n),
    String(out),
  );
});

test("blocks of a cluster that wait for each other read their clocks", async (t) => {
  const { out } = await measure(between("barrier.cluster.arrive; barrier.cluster.wait;"), 32, 2);
  t.is(out.length, 64);
  t.true(
    out.every((cycles) => cycles > 300n && cycles < 400n),
    String(out),
  );
});
