// The timing model gives the same result whether instructions are reported one by one, as the reference engine does, or in
// stretches, as generated code does.

import test from "ava";
import { openDevice } from "../../lib/exec/device/device.js";
import type { EngineName } from "../../lib/exec/state/launch.js";
import { timedOn } from "../../lib/report/timed.js";
import { findGpu } from "../../lib/timing/gpus/gpus.js";
import type { TimingResult } from "../../lib/timing/result/result.js";
import { imageOf } from "../exec/fast/both.js";

const kernel = (body: string): string => `
.global .texref picture;
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %at; .reg .b32 %n, %lane, %x; .reg .f32 %f, %g, %t<4>; .reg .pred %more, %p;
  ld.param.u64 %at, [buffer]; mov.u32 %lane, %laneid; mad.wide.u32 %at, %lane, 4, %at;
  mov.u32 %n, 0; mov.u32 %x, 1; mov.f32 %f, 0f3f800000; mov.f32 %g, 0f40400000;
again:
  ${body}
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 9; @%more bra again;
  st.global.u32 [%at], %x; st.global.f32 [%at+128], %f; ret;
}`;

async function timed(body: string, engine: EngineName, maxInstructions: number): Promise<TimingResult> {
  const device = openDevice(imageOf(kernel(body)), { hotAfter: 0, time: timedOn(findGpu("h200")!) });
  const image = device.image({ kind: "1d", format: "f32", channels: 1, width: 8 });
  device.bind("picture", device.texture({ image }));
  const args = [device.alloc(256)];
  return (await device.launch("k", { grid: 3, block: 80, args, engine, maxInstructions })).timing!;
}

const bodies: Readonly<Record<string, string>> = {
  "lanes that reconverge before the end of a region within a block": `
    setp.lt.u32 %p, %lane, 7; @%p bra join; add.u32 %x, %x, 3; join: add.u32 %x, %x, 1; div.rn.f32 %f, %f, %g;
    add.f32 %f, %f, %g; xor.b32 %x, %x, 5;`,
  "a texture fetch, whose addresses are not reported": `
    cvt.rn.f32.u32 %f, %n; tex.1d.v4.f32.f32 {%t0, %t1, %t2, %t3}, [picture, {%f}]; add.f32 %f, %t0, %g;
    st.global.f32 [%at], %f; ld.global.u32 %x, [%at+4]; add.u32 %x, %x, %n;`,
  "regions longer than their maximum": Array.from({ length: 1100 }, (_, i) => `mad.lo.u32 %x, %x, 5, ${i};`).join("\n"),
};

for (const [name, body] of Object.entries(bodies))
  test(`both engines have the same timing: ${name}`, async (t) => {
    for (const limit of [1_000_000, 137]) {
      const [fast, reference] = [await timed(body, "fast", limit), await timed(body, "reference", limit)];
      t.is(fast.cycles, reference.cycles, `limit ${limit}`);
      t.deepEqual(fast, reference);
    }
  });
