// Exchanges between lanes: shuffles, votes, matches, reductions.

import test from "ava";
import { wordsOf } from "./kernel.js";

const lanes = (value: (lane: number) => number): readonly number[] =>
  Array.from({ length: 32 }, (_, i) => value(i) | 0);
const ALL = "0xffffffff";

interface Row {
  readonly name: string;
  /** Instructions that write %v. */
  readonly text: string;
  readonly expected: (lane: number) => number;
}

const rows: readonly Row[] = [
  {
    name: "shfl.up keeps the first lanes",
    text: `shfl.sync.up.b32 %v, %t, 3, 0, ${ALL};`,
    expected: (l) => (l < 3 ? l : l - 3),
  },
  {
    name: "shfl.down keeps the last lanes",
    text: `shfl.sync.down.b32 %v, %t, 3, 31, ${ALL};`,
    expected: (l) => (l > 28 ? l : l + 3),
  },
  { name: "shfl.bfly exchanges pairs", text: `shfl.sync.bfly.b32 %v, %t, 1, 31, ${ALL};`, expected: (l) => l ^ 1 },
  {
    name: "shfl.idx within segments of 8",
    text: `shfl.sync.idx.b32 %v, %t, 2, 0x181f, ${ALL};`,
    expected: (l) => (l & ~7) | 2,
  },
  {
    name: "shfl tells whether the source was in range",
    text: `shfl.sync.down.b32 %v|%p, %t, 16, 31, ${ALL}; selp.b32 %v, 1, 0, %p;`,
    expected: (l) => (l < 16 ? 1 : 0),
  },
  {
    name: "vote.ballot gives a bit for each lane",
    text: `vote.sync.ballot.b32 %v, %odd, ${ALL};`,
    expected: () => 0xaaaaaaaa,
  },
  { name: "vote.any", text: `vote.sync.any.pred %p, %odd, ${ALL}; selp.b32 %v, 1, 0, %p;`, expected: () => 1 },
  {
    name: "vote.all of the contrary",
    text: `vote.sync.all.pred %p, !%odd, ${ALL}; selp.b32 %v, 1, 0, %p;`,
    expected: () => 0,
  },
  { name: "vote.uni", text: `vote.sync.uni.pred %p, %odd, ${ALL}; selp.b32 %v, 1, 0, %p;`, expected: () => 0 },
  {
    name: "match.any groups equal values",
    text: `and.b32 %v, %t, 1; match.any.sync.b32 %v, %v, ${ALL};`,
    expected: (l) => (l % 2 === 0 ? 0x55555555 : 0xaaaaaaaa),
  },
  {
    name: "match.all of equal values",
    text: `match.all.sync.b32 %v|%p, 7, ${ALL}; selp.b32 %v, %v, 0, %p;`,
    expected: () => -1,
  },
  { name: "redux.add", text: `redux.sync.add.u32 %v, %t, ${ALL};`, expected: () => 496 },
  {
    name: "redux.min of signed values",
    text: `sub.s32 %v, 5, %t; redux.sync.min.s32 %v, %v, ${ALL};`,
    expected: () => -26,
  },
  { name: "redux.xor over one lane", text: "shl.b32 %v, 1, %t; redux.sync.xor.b32 %v, %t, %v;", expected: (l) => l },
  {
    name: "elect chooses the lowest lane",
    text: `elect.sync %v|%p, ${ALL}; selp.b32 %v, 1, 0, %p;`,
    expected: (l) => (l === 0 ? 1 : 0),
  },
];

for (const { name, text, expected } of rows) {
  test(name, async (t) => {
    const body = `.reg .pred %p, %odd; .reg .b32 %v; and.b32 %v, %t, 1; setp.ne.u32 %odd, %v, 0; ${text} st.global.u32 [%at], %v;`;
    t.deepEqual(await wordsOf(body, 32), lanes(expected));
  });
}

test("a collective in a loop waits for the lanes that come later", async (t) => {
  // Odd lanes take a detour; the shuffle's mask has all 32.
  const body = `.reg .pred %p; .reg .b32 %v; and.b32 %v, %t, 1; setp.eq.u32 %p, %v, 0;
    @%p bra meet;
    add.u32 %v, %v, 1; add.u32 %v, %v, 1;
  meet: shfl.sync.idx.b32 %v, %v, 31, 31, ${ALL};
    st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes(() => 3),
  );
});

test("a collective does not wait for lanes that have exited", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %v; setp.ge.u32 %p, %t, 8; @%p exit;
    redux.sync.add.u32 %v, 1, ${ALL}; st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes((l) => (l < 8 ? 8 : 0)),
  );
});

test("lanes exchange values from both branches of an if", async (t) => {
  const body = `.reg .b32 %v, %w, %x; .reg .pred %p; mov.u32 %w, %t; add.u32 %x, %t, 100;
    setp.lt.u32 %p, %t, 16; @%p bra low;
    shfl.sync.bfly.b32 %x, %x, 16, 31, -1; mov.u32 %v, %x; bra end;
    low: shfl.sync.bfly.b32 %v, %w, 16, 31, -1; add.u32 %v, %v, %x;
    end: st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32),
    lanes((l) => (l < 16 ? l + 16 + 100 + (l + 100) : l - 16)),
  );
});

test("lanes that entered a function by two calls vote and add together", async (t) => {
  const before = `.func (.param .b32 r) sum(.param .b32 a) { .reg .b32 %a, %b; .reg .pred %p; ld.param.u32 %a, [a];
    redux.sync.add.u32 %b, %a, -1; setp.gt.u32 %p, %a, 29; vote.sync.ballot.b32 %a, !%p, -1; popc.b32 %a, %a;
    mad.lo.u32 %a, %b, 100, %a; st.param.b32 [r], %a; ret; }`;
  const call = "{ .param .b32 x, y; st.param.b32 [x], %t; call (y), sum, (x); ld.param.b32 %v, [y]; }";
  const body = `.reg .b32 %v; .reg .pred %p; setp.lt.u32 %p, %t, 7; @%p bra few; ${call} bra end;
    few: ${call} end: st.global.u32 [%at], %v;`;
  t.deepEqual(
    await wordsOf(body, 32, { before }),
    lanes(() => 49_630),
  );
});
