// Asynchronous copies arrive at the last moment that a correct program allows, or at once if the launch asks for that.
// Both engines agree.

import test, { type ExecutionContext } from "ava";
import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import { wordsOf } from "../kernel.js";

/** Checks that both engines leave these words. */
async function leaves(
  t: ExecutionContext,
  body: string,
  expected: readonly number[],
  launch: Partial<DeviceLaunch> & { readonly before?: string } = {},
): Promise<void> {
  for (const engine of ["reference", "fast"] as const)
    t.deepEqual(await wordsOf(body, expected.length, { ...launch, engine }), expected, engine);
}

const before = `
.global .align 16 .b32 numbers[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
.shared .align 128 .b32 tile[64];
.shared .align 8 .b64 bar;`;
const registers = ".reg .b32 %a, %b, %c; .reg .b64 %g, %s; .reg .pred %p; mov.u64 %g, numbers;";

test("a cp.async group completes at the wait that covers it, and not before", async (t) => {
  const copies = `${registers}
  cp.async.ca.shared.global [tile], [%g], 4;
  cp.async.commit_group;
  cp.async.ca.shared.global [tile+4], [%g+4], 4;
  cp.async.commit_group;
  cp.async.ca.shared.global [tile+8], [%g+8], 4;`;
  const look = `ld.shared.b32 %a, [tile]; ld.shared.b32 %b, [tile+4]; ld.shared.b32 %c, [tile+8];
  st.global.b32 [%out], %a; st.global.b32 [%out+4], %b; st.global.b32 [%out+8], %c;`;
  await leaves(t, `${copies} ${look}`, [0, 0, 0], { before, block: 1 });
  await leaves(t, `${copies} cp.async.wait_group 1; ${look}`, [1, 0, 0], { before, block: 1 });
  await leaves(t, `${copies} cp.async.wait_group 0; ${look}`, [1, 2, 0], { before, block: 1 });
  await leaves(t, `${copies} cp.async.wait_all; ${look}`, [1, 2, 3], { before, block: 1 });
  await leaves(t, `${copies} ${look}`, [1, 2, 3], { before, block: 1, async: "early" });
});

test("a source is read when its copy completes", async (t) => {
  const body = `${registers}
  cp.async.ca.shared.global [tile], [%g], 4;
  st.global.b32 [%g], 77;
  cp.async.wait_all;
  ld.shared.b32 %a, [tile]; st.global.b32 [%out], %a; st.global.b32 [%g], 1;`;
  await leaves(t, body, [77], { before, block: 1 });
  await leaves(t, body, [1], { before, block: 1, async: "early" });
});

test("each thread waits for its own copies", async (t) => {
  const body = `${registers}
  mov.u32 %a, tile; shl.b32 %b, %t, 2; add.u32 %a, %a, %b; cvt.u64.u32 %s, %b; add.u64 %g, %g, %s;
  cp.async.ca.shared.global [%a], [%g], 4;
  setp.lt.u32 %p, %t, 2;
  @%p cp.async.wait_all;
  bar.sync 0;
  ld.shared.b32 %c, [%a]; st.global.b32 [%at], %c;`;
  await leaves(t, body, [1, 2, 0, 0], { before, block: 4 });
});

test("an mbarrier that copies arrive at", async (t) => {
  const body = (noinc: string, count: number): string => `${registers}
  setp.eq.u32 %p, %t, 0;
  @%p mbarrier.init.shared.b64 [bar], ${count};
  bar.sync 0;
  mov.u32 %a, tile; shl.b32 %b, %t, 2; add.u32 %a, %a, %b; cvt.u64.u32 %s, %b; add.u64 %g, %g, %s;
  cp.async.ca.shared.global [%a], [%g], 4;
  cp.async.mbarrier.arrive${noinc}.shared.b64 [bar];
  ${noinc === "" ? "mbarrier.arrive.shared.b64 _, [bar];" : ""}
W: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;
  @!%p bra W;
  ld.shared.b32 %c, [%a]; st.global.b32 [%at], %c;`;
  await leaves(t, body(".noinc", 4), [1, 2, 3, 4], { before, block: 4 });
  await leaves(t, body("", 4), [1, 2, 3, 4], { before, block: 4 });
});

test("bytes of a bulk copy arrive when a thread waits for the phase that they complete", async (t) => {
  const body = (look: string): string => `${registers}
  mbarrier.init.shared.b64 [bar], 1;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%g], 64, [bar];
  ${look}
  mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;
W: mbarrier.test_wait.parity.shared.b64 %p, [bar], 0;
  @!%p bra W;
  ld.shared.b32 %b, [tile+60];
  st.global.b32 [%out], %a; st.global.b32 [%out+4], %b;`;
  await leaves(t, body("ld.shared.b32 %a, [tile+60];"), [0, 16], { before, block: 1 });
  // Testing a phase that the bytes do not complete makes none of them visible.
  const early = "mbarrier.test_wait.parity.shared.b64 %p, [bar], 0; ld.shared.b32 %a, [tile+60];";
  await leaves(t, body(early), [0, 16], { before, block: 1 });
  await leaves(t, body(early), [16, 16], { before, block: 1, async: "early" });
});

test("a bulk copy to global memory reads at .read, and writes at the wait or the end", async (t) => {
  const body = (wait: string): string => `${registers}
  st.shared.b32 [tile], 5; st.shared.b32 [tile+4], 6;
  cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 16;
  cp.async.bulk.commit_group;
  ${wait}
  ld.global.b32 %a, [%out];
  st.shared.b32 [tile], 50;
  st.global.b32 [%out+16], %a;`;
  await leaves(t, body("cp.async.bulk.wait_group 0;"), [5, 6, 0, 0, 5], { before, block: 1 });
  await leaves(t, body("cp.async.bulk.wait_group.read 0;"), [5, 6, 0, 0, 0], { before, block: 1 });
  await leaves(t, body(""), [50, 6, 0, 0, 0], { before, block: 1 });
});

test("copies without a wait complete before the next block begins, in generated code too", async (t) => {
  const body = `${registers} .reg .b32 %n;
  mov.u32 %n, %ctaid.x; mul.wide.u32 %s, %n, 4; add.u64 %s, %s, %out;
  ld.shared.b32 %a, [tile];
  cp.async.ca.shared.global [tile], [%g], 4;
  st.global.b32 [%s], %a;`;
  await leaves(t, body, new Array<number>(200).fill(0), { before, block: 1, grid: 200 });
});
