// wgmma on integers, its groups and its faults, on both engines. test/hardware/tensor.ts compares records of an H200.

import test from "ava";
import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import { deviceOfModule } from "../kernel.js";

const ENGINES = ["reference", "fast"] as const;

/** A is 64 x 16 and B 16 x 8 of f16 ones, without swizzle, at `m` and `m` + 4096; %da and %db describe them. D is in %d0 to %d3. */
const kernel = (body: string): string => `.version 8.8
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
  .shared .align 1024 .b8 m[8192];
  .reg .b32 %t, %s, %i, %x; .reg .b64 %out, %da, %db, %wide; .reg .f32 %d<4>, %e<4>; .reg .pred %p, %no;
  mov.u32 %t, %tid.x; mov.u32 %s, m; setp.ne.u32 %no, %t, %t; mov.u32 %i, %t;
FILL:
  shl.b32 %x, %i, 2; add.u32 %x, %x, %s; st.shared.b32 [%x], 0x3c003c00;
  add.u32 %i, %i, 128; setp.lt.u32 %p, %i, 2048; @%p bra FILL;
  fence.proxy.async; bar.sync 0;
  shr.u32 %x, %s, 4; cvt.u64.u32 %wide, %x; or.b64 %da, %wide, 0x0000001000080000; add.u64 %db, %da, 256;
  mov.f32 %d0, 0f41200000; mov.f32 %d1, %d0; mov.f32 %d2, %d0; mov.f32 %d3, %d0;
  wgmma.fence.sync.aligned;
  ${body}
  ld.param.u64 %out, [out]; mul.wide.u32 %wide, %t, 4; add.u64 %out, %out, %wide;
  st.global.f32 [%out], %d0; st.global.f32 [%out+512], %d3; st.global.f32 [%out+1024], %e0;
  ret;
}`;

const multiply = (scale: string): string =>
  `wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%d0, %d1, %d2, %d3}, %da, %db, ${scale}, 1, 1, 0, 0;`;
const commit = "wgmma.commit_group.sync.aligned;";
const wait = (groups: number): string => `wgmma.wait_group.sync.aligned ${groups};`;

async function run(body: string, launch: Partial<DeviceLaunch> = {}) {
  const device = deviceOfModule(kernel(body));
  const out = device.alloc(1536);
  const result = await device.launch("k", { grid: 1, block: 128, args: [out], ...launch });
  return { result, values: device.read(out, Float32Array) };
}

for (const engine of ENGINES) {
  test(`a product is added to D, on the ${engine} engine`, async (t) => {
    const { result, values } = await run(`${multiply("1")} ${commit} ${wait(0)}`, { engine });
    t.is(result.fault, undefined);
    t.deepEqual([...values.subarray(0, 256)], new Array(256).fill(26));
  });

  test(`without scale-d D begins at zero, on the ${engine} engine`, async (t) => {
    const { values } = await run(`${multiply("%no")} ${commit} ${wait(0)}`, { engine });
    t.deepEqual([...values.subarray(0, 256)], new Array(256).fill(16));
  });

  test(`results arrive in order at the wait that covers their group, on the ${engine} engine`, async (t) => {
    const two = `${multiply("1")} ${commit} ${multiply("1")} ${commit} mov.f32 %e0, %d0;`;
    const none = await run(`${two} ${wait(2)}`, { engine });
    t.deepEqual([none.values[0], none.values[256]], [10, 10]);
    const one = await run(`${two} ${wait(1)}`, { engine });
    t.is(one.values[0], 26);
    const both = await run(`${two} ${wait(0)}`, { engine });
    t.is(both.values[0], 42);
    const forgotten = await run(`${multiply("1")} ${wait(0)}`, { engine });
    t.is(forgotten.values[0], 10);
  });

  test(`with early completion results arrive at once, on the ${engine} engine`, async (t) => {
    const { values } = await run(`${multiply("1")} mov.f32 %e0, %d0; ${commit} ${wait(0)}`, { engine, async: "early" });
    t.deepEqual([values[0], values[256]], [26, 26]);
  });

  test(`shared memory is read at the wait, on the ${engine} engine`, async (t) => {
    // Overwriting B before the wait changes the result: four of the first eight elements of column 0 are 0 then.
    const late = `${multiply("1")} ${commit} add.u32 %x, %s, 4096; st.shared.b32 [%x], 0; st.shared.b32 [%x+4], 0; ${wait(0)}`;
    const { values } = await run(late, { engine });
    t.is(values[0], 22);
    t.is(values[1], 26);
  });

  test(`a descriptor outside of the block's memory faults at the instruction that uses it, on the ${engine} engine`, async (t) => {
    const { result } = await run(`add.u64 %db, %db, 8192; ${multiply("1")} ${commit} ${wait(0)}`, { engine });
    t.is(result.fault?.kind, "illegal-address");
    t.regex(result.fault!.message, /matrix descriptor/);
  });
}
