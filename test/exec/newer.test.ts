// Additions of PTX ISA 9.1 to 9.4 to memory, atomics and barriers; rows/ tests arithmetic.

import test from "ava";
import { deviceOfModule } from "./kernel.js";

/** Results of a kernel of one warp, in PTX 9.4. */
async function wordsOf(target: string, body: string, count: number): Promise<readonly number[]> {
  const device = deviceOfModule(`.version 9.4
.target ${target}
.address_size 64
.visible .entry k(.param .u64 out) {
  .reg .b64 %out, %rd<4>; .reg .b32 %r<9>; .reg .f32 %f<4>; .reg .pred %p<4>;
  ld.param.u64 %out, [out];
  ${body}
  ret;
}`);
  const buffer = device.alloc(256);
  const { fault } = await device.launch("k", { grid: 1, block: 1, args: [buffer], maxInstructions: 100_000 });
  if (fault !== undefined) throw new Error(`${fault.kind}: ${fault.message}`);
  const out = device.read(buffer, new DataView(new ArrayBuffer(256)));
  return Array.from({ length: count }, (_, i) => out.getUint32(4 * i, true));
}

test("loads through the read-only proxy, of local memory as volatile, and of registers of devices in order", async (t) => {
  const body = `
    .local .align 8 .b8 frame[16];
    st.volatile.local.u32 [frame+4], 77;
    ld.volatile.local.u32 %r1, [frame+4];
    st.mmio.release.sys.global.u32 [%out], %r1;
    ld.mmio.acquire.sys.u32 %r2, [%out];
    st.global.u32 [%out+4], %r2;
    ld.global.u32.proxy::readonly %r3, [%out];
    ld.proxy::readonly.global.u32 %r4, [%out+4];
    add.u32 %r3, %r3, %r4;
    st.global.u32 [%out+8], %r3;
    prefetch.global.L1::32B.valid_addr [%out];
    fence.proxy.alias.release.sys;`;
  t.deepEqual(await wordsOf("sm_90", body, 3), [77, 77, 154]);
});

test("atomics with .noftz keep subnormal f32, in global memory too", async (t) => {
  const body = `
    st.global.u32 [%out], 3;
    st.global.u32 [%out+4], 3;
    mov.b32 %f1, 0x00000005;
    atom.global.add.noftz.f32 %f2, [%out], %f1;
    red.global.add.f32 [%out+4], %f1;
    st.global.f32 [%out+8], %f2;
    red.global.add.noftz.v2.f32 [%out], {%f1, %f1};`;
  t.deepEqual(await wordsOf("sm_90", body, 3), [13, 5, 3]);
});

test("primary and conditional phases of an mbarrier end together, without a report", async (t) => {
  const body = `
    .shared .align 8 .b64 bar;
    mbarrier.init.layout::v1.shared.b64 [bar], 1;
    mbarrier.test_wait.parity.phase_type::primary.shared.b64 %p1|%p2, %r1, [bar], 0;
    mbarrier.arrive.shared.b64 %rd1, [bar];
    mbarrier.try_wait.phase_type::primary.shared.b64 %p2|%p3, %r2, [bar], %rd1;
    selp.u32 %r3, 1, 0, %p1;
    selp.u32 %r4, 1, 0, %p2;
    selp.u32 %r5, 1, 0, %p3;
    mbarrier.try_wait.parity.phase_type::conditional.shared.b64 %p1, [bar], 0;
    selp.u32 %r6, 1, 0, %p1;
    st.global.v4.u32 [%out], {%r3, %r4, %r5, %r6};
    st.global.v2.u32 [%out+16], {%r1, %r2};`;
  t.deepEqual(await wordsOf("sm_90", body, 6), [0, 1, 0, 1, 0, 0]);
});

test("an mbarrier of layout v1 counts fewer arrivals", async (t) => {
  const body = (count: number): string =>
    `.shared .align 8 .b64 bar; mbarrier.init.layout::v1.shared.b64 [bar], ${count};`;
  t.deepEqual(await wordsOf("sm_90", body(511), 0), []);
  await t.throwsAsync(wordsOf("sm_90", body(512), 0), { message: /a count of 512; the count must be 1 to 511/ });
});
