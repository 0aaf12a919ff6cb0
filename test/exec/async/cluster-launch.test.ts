// Cancelled clusters of a grid, and multimem on one device.

import test from "ava";
import { wordsOf } from "../kernel.js";

test("a block that cancels others does the work of each once", async (t) => {
  const body = `.reg .b32 %x, %b, %w, %n; .reg .b64 %p; .reg .pred %q; .reg .b128 %h;
  .shared .align 16 .b8 response[16]; .shared .align 8 .b64 bar;
  mbarrier.init.shared.b64 [bar], 1; mov.u32 %x, %ctaid.x; mov.u32 %n, 0;
L: mul.wide.u32 %p, %x, 4; add.u64 %p, %p, %out; atom.global.add.u32 %w, [%p], 1;
  mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
  clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [response], [bar];
W: mbarrier.try_wait.parity.shared.b64 %q, [bar], %n; @!%q bra W;
  xor.b32 %n, %n, 1;
  ld.shared.b128 %h, [response];
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %q, %h;
  @!%q bra END;
  clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %x, %h;
  bra L;
END: add.u64 %p, %out, 2048; atom.global.add.u32 %w, [%p], 1;`;
  for (const engine of ["reference", "fast"] as const) {
    const words = await wordsOf(body, 513, { grid: 300, block: 1, engine });
    t.deepEqual(words.slice(0, 301), [...new Array<number>(300).fill(1), 0], engine);
    t.is(words[512], 1, "blocks that began");
  }
});

test("multimem acts on the memory itself", async (t) => {
  const body = `.reg .b32 %a, %b; .reg .f32 %f, %g;
  multimem.st.global.b32 [%out], 5; multimem.red.relaxed.gpu.global.add.u32 [%out], 3;
  multimem.ld_reduce.relaxed.gpu.global.add.u32 %a, [%out]; st.global.b32 [%out+4], %a;
  mov.f32 %f, 0f3F800000; multimem.st.global.v2.f32 [%out+8], {%f, %f};
  multimem.red.relaxed.gpu.global.add.v2.f32 [%out+8], {%f, %f};
  multimem.ld_reduce.relaxed.gpu.global.add.v2.f32 {%f, %g}, [%out+8]; st.global.f32 [%out+16], %g;`;
  for (const engine of ["reference", "fast"] as const)
    t.deepEqual(await wordsOf(body, 5, { block: 1, engine }), [8, 8, 0x40000000, 0x40000000, 0x40000000], engine);
});
