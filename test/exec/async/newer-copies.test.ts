// Additions of PTX ISA 9.1 to 9.4 to bulk copies and mbarriers: strong copies, multimem addresses, sources at the end
// of an allocation, layouts, and multicast by a mask. Both engines agree.

import test, { type ExecutionContext } from "ava";
import { deviceOfModule } from "../kernel.js";

const engines = ["reference", "fast"] as const;

interface Kernel {
  readonly target?: string;
  /** Bytes of the kernel's buffer. */
  readonly size?: number;
  readonly cluster?: number;
}

/** Checks that both engines leave these words in a buffer whose words were 1, 2, 3 and so on. */
async function leaves(t: ExecutionContext, body: string, expected: readonly number[], kernel: Kernel = {}) {
  const { target = "sm_90a", size = 256, cluster = 1 } = kernel;
  for (const engine of engines) {
    const device = deviceOfModule(`.version 9.4
.target ${target}
.address_size 64
.visible .entry k(.param .u64 out) {
  .shared .align 16 .b8 tile[64];
  .shared .align 8 .b64 bar;
  .reg .b64 %out, %wide; .reg .b32 %r<9>, %rank, %bar; .reg .b16 %h; .reg .f32 %f<4>; .reg .pred %p<4>;
  ld.param.u64 %out, [out]; mov.u32 %rank, %cluster_ctarank; mov.u32 %bar, bar;
  ${body}
  ret;
}`);
    const buffer = device.alloc(size);
    device.write(
      buffer,
      Uint32Array.from({ length: size >> 2 }, (_, i) => i + 1),
    );
    const launch = { grid: cluster, block: 1, cluster, args: [buffer], maxInstructions: 100_000, engine };
    const { fault } = await device.launch("k", launch);
    t.is(fault, undefined, `${fault?.kind}: ${fault?.message}`);
    const out = device.read(buffer, new DataView(new ArrayBuffer(size)));
    t.deepEqual(
      expected.map((_, i) => out.getUint32(4 * i, true)),
      expected,
      engine,
    );
  }
}

const begin = "mbarrier.init.shared.b64 [bar], 1;";
const expect = (bytes: number): string => `mbarrier.arrive.expect_tx.shared.b64 _, [bar], ${bytes};`;
const wait = `W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;`;
const settle = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

test("a strong copy moves the same bytes as a weak one", async (t) => {
  await leaves(
    t,
    `${begin} ${expect(32)}
    cp.async.bulk.relaxed.gpu.shared::cta.global.mbarrier::complete_tx::bytes.b128 [tile], [%out], 16, [bar];
    cp.async.bulk.weak.shared::cta.global.mbarrier::complete_tx::bytes [tile+16], [%out+32], 16, [bar];
    ${wait}
    cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [%out+64], [tile], 32;
    ${settle}
    ld.global.u32 %r1, [%out+64]; ld.global.u32 %r2, [%out+92]; st.global.v2.u32 [%out], {%r1, %r2};`,
    [1, 12],
  );
  await leaves(
    t,
    `${begin} ${expect(16)} st.shared.u32 [tile+4], 77;
    cp.async.bulk.relaxed.cluster.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.b128 [tile+32], [tile], 16, [bar];
    ${wait}
    ld.shared.u32 %r1, [tile+36]; st.global.u32 [%out], %r1;`,
    [77],
  );
});

test("with .ignore_oob, bytes past the end of an allocation are not copied, and count as arrived", async (t) => {
  await leaves(
    t,
    `${begin} ${expect(16)} st.shared.v4.u32 [tile], {70, 71, 72, 73};
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.ignore_oob [tile], [%out+16], 16, 4, 8, [bar];
    ${wait}
    ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile]; st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};`,
    [70, 6, 72, 73],
    { size: 24 },
  );
});

test("copies and reductions to a multimem address act on the memory itself", async (t) => {
  await leaves(
    t,
    `st.shared.v4.u32 [tile], {0x11111111, 0x22222222, 0x33333333, 0x44444444};
    mov.b16 %h, 0x00f1; fence.proxy.async.shared::cta;
    multimem.cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%out], [tile], 16, %h;
    multimem.cp.async.bulk.relaxed.sys.global.shared::cta.bulk_group.b128 [%out+16], [tile], 16;
    ${settle}
    multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out+16], [tile], 16;
    multimem.cp.reduce.async.bulk.relaxed.sys.global.shared::cta.bulk_group.or.b32 [%out+32], [tile], 16;
    ${settle}`,
    [
      0x00000011, 0x22222222, 3, 4, 0x22222222, 0x44444444, 0x66666666, 0x88888888, 0x11111119, 0x2222222a, 0x3333333b,
      0x4444444c,
    ],
    { target: "sm_100a" },
  );
  await leaves(
    t,
    `st.shared.v4.u32 [tile], {1, 2, 0x3c003c00, 0}; fence.proxy.async.shared::cta;
    st.global.v4.u32 [%out], {5, 5, 0x40003c00, 0};
    multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%out], [tile], 16;
    ${settle}`,
    [6, 7, 0x42004000, 0],
  );
});

test("a releasing multimem store or reduction is visible at once", async (t) => {
  await leaves(
    t,
    `mov.u32 %r1, 40; multimem.st.async.release.gpu.global.u32 [%out], %r1;
    mov.u32 %r1, 2; multimem.red.async.release.sys.global.add.u32 [%out], %r1;`,
    [42, 2],
    { target: "sm_100" },
  );
});

test("an mbarrier keeps the layout of its init, through phases and bytes that arrive early", async (t) => {
  const look = (word: number): string =>
    `mbarrier.check_layout.layout::v0.shared.b64 %p1, [bar]; mbarrier.check_layout.layout::v1.shared::cta.b64 %p2, [bar];
     selp.u32 %r1, 1, 0, %p1; selp.u32 %r2, 1, 0, %p2; st.global.v2.u32 [%out+${4 * word}], {%r1, %r2};`;
  await leaves(
    t,
    `${begin} ${look(0)} mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 1048575; ${look(2)}
    mbarrier.init.layout::v1.shared.b64 [bar], 1; ${look(4)}
    mbarrier.arrive.shared.b64 _, [bar]; ${look(6)}
    mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 64; ${look(8)}`,
    [1, 0, 1, 0, 0, 1, 0, 1, 0, 1],
  );
});

test("arrivals and bytes go to the barrier of each block that a mask names", async (t) => {
  await leaves(
    t,
    `mbarrier.init.shared.b64 [bar], 3; barrier.cluster.arrive; barrier.cluster.wait;
    setp.ne.u32 %p2, %rank, 0; @%p2 bra W;
    mbarrier.expect_tx.relaxed.cluster.shared::cluster.multicast::cluster::32b.b64 [%bar], 48, 6;
    mbarrier.arrive.shared::cluster.multicast::cluster::32b.b64 _, [%bar], 2, 7;
    mbarrier.arrive_drop.expect_tx.shared::cluster.multicast::cluster::32b.b64 _, [%bar], 16, 7;
    mbarrier.complete_tx.relaxed.cluster.shared::cluster.multicast::cluster::32b.b64 [%bar], 48, 6;
    mbarrier.complete_tx.relaxed.cluster.shared::cluster.multicast::cluster::32b.b64 [%bar], 16, 7;
    ${wait}
    mbarrier.arrive.shared.b64 _, [bar], 2;
    mbarrier.test_wait.parity.shared.b64 %p3, [bar], 1;
    selp.u32 %r1, 5, 6, %p3; mul.wide.u32 %wide, %rank, 4; add.u64 %out, %out, %wide; st.global.u32 [%out], %r1;
    barrier.cluster.arrive; barrier.cluster.wait;`,
    [5, 5, 5, 4],
    { target: "sm_107a", cluster: 3 },
  );
});
