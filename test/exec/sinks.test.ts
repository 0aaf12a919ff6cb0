// `_` instead of a result: that result is not written, and the others are.

import test from "ava";
import { wordsOf } from "./kernel.js";

test("one of two results may be discarded", async (t) => {
  const body = `.reg .pred %p, %q; .reg .b32 %v, %w; setp.lt.u32 _|%q, %t, 5; selp.u32 %v, 1, 0, %q;
    setp.lt.and.u32 %p|_, %t, 9, %q; selp.u32 %w, 2, 0, %p; add.u32 %v, %v, %w;
    lop3.or.b32 _|%p, %t, %t, %t, 0x80, %q; selp.u32 %w, 4, 0, %p; add.u32 %v, %v, %w;
    match.all.sync.b32 _|%p, %t, -1; selp.u32 %w, 8, 0, %p; add.u32 %v, %v, %w;
    shfl.sync.up.b32 %w|_, %t, 1, 0, -1; mad.lo.u32 %v, %w, 16, %v;
    atom.global.add.u32 _, [%out+2048], 1; st.global.u32 [%at], %v;`;
  const expected = (lane: number): number => {
    const notLess = lane >= 5;
    return (notLess ? 1 : 0) + (notLess && lane < 9 ? 2 : 0) + (lane !== 0 ? 4 : 0) + 16 * Math.max(0, lane - 1);
  };
  t.deepEqual(
    await wordsOf(body, 32),
    Array.from({ length: 32 }, (_, lane) => expected(lane)),
  );
});
