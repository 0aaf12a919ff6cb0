// Exchanges among the lanes of a warp, compared with the interpreter: warps of 32 lanes and a last one of 16, whole and
// diverged. A sample has one in 8 of each exchange.

import test from "ava";
import { sample } from "../../sample.js";
import { onBothEngines, tellingWords, words } from "./both.js";

const controls = [0x1f, 0, 0x0f, 0x1c07, 0x181f, 0x101f, 0x0507, 0x1f1f];

/** Each leaves its result in %d. */
const exchanges: readonly string[] = [
  ...["up", "down", "bfly", "idx"].flatMap((mode) =>
    [0, 1, 2, 3, 4, 7, 8, 16, 31, 33].flatMap((b) =>
      controls.map((c, i) =>
        i % 2 === 0
          ? `shfl.sync.${mode}.b32 %d|%q, %a, ${b}, ${c}, MASK; @%q xor.b32 %d, %d, 0x55;`
          : `shfl.sync.${mode}.b32 %d, %a, ${b}, ${c}, MASK;`,
      ),
    ),
  ),
  "mov.b32 %d, %a; shfl.sync.down.b32 %d, %d, 5, 31, MASK;",
  "shfl.sync.idx.b32 %d, %a, %a, 31, MASK;",
  ...["up", "down", "bfly", "idx"].flatMap((mode) => [
    ...controls.map((c) => `shfl.sync.${mode}.b32 %d|%q, %a, %b, ${c}, MASK; @%q xor.b32 %d, %d, 0x55;`),
    ...[1, 7, 16, 31].map((b) => `shfl.sync.${mode}.b32 %d|%q, %a, ${b}, %b, MASK; @%q xor.b32 %d, %d, 0x55;`),
    `mov.b32 %d, %a; shfl.sync.${mode}.b32 %d, %d, %b, %b, MASK;`,
    `mov.b32 %d, %b; shfl.sync.${mode}.b32 %d|_, %a, %d, 31, MASK;`,
  ]),
  "vote.sync.ballot.b32 %d, %p, MASK;",
  "vote.sync.ballot.b32 %d, !%p, MASK;",
  ...["%p", "!%p", "%always", "!%always"].flatMap((predicate) =>
    ["all", "any", "uni"].map((mode) => `vote.sync.${mode}.pred %q, ${predicate}, MASK; selp.u32 %d, 1, 0, %q;`),
  ),
  "bar.warp.sync MASK; add.u32 %d, %a, 1;",
  "match.any.sync.b32 %d, %a, MASK;",
  "and.b32 %d, %a, 3; match.any.sync.b32 %d, %d, MASK;",
  "match.any.sync.b64 %d, %rd, MASK;",
  ...["%a", "%b", "%n"].map((value) => `match.all.sync.b32 %d|%q, ${value}, MASK; @%q xor.b32 %d, %d, 0x55;`),
  ...["add.s32", "add.u32", "min.s32", "max.s32", "min.u32", "max.u32", "and.b32", "or.b32", "xor.b32"].map(
    (operation) => `redux.sync.${operation} %d, %a, MASK;`,
  ),
  "elect.sync %d|%q, MASK; @%q xor.b32 %d, %d, 0x5500;",
  "elect.sync _|%q, MASK; selp.u32 %d, 1, 0, %q;",
  "activemask.b32 %d;",
];

const kindOf = (text: string): string => /\b(?:shfl|vote|bar|match|redux|elect|activemask)[\w.]*/.exec(text)![0];

const THREADS = 80;
const ROUNDS = 3;
/** Number of masks that each exchange is executed with. */
const WAYS = 6;

/**
 * All lanes together; then only odd lanes, twice; then all but some that have exited; then halves, and fours, each with
 * a mask of its own, except for some that name no other lane.
 */
function kernelOf(some: readonly string[]): string {
  let next = 0;
  const store = (): string => `st.global.u32 [%rd+${THREADS * 4 * (next++ + 1)}], %d;`;
  const each = (mask: string): string => some.map((text) => `${text.replace("MASK", mask)} ${store()}`).join("\n  ");
  // An unused register has a known value only in lanes that execute the exchange.
  const eachOfSome = (mask: string): string =>
    some
      .map((text) => (text.includes("%d, %d") ? "mov.u32 %d, 0;" : text.replace("MASK", mask)) + ` ${store()}`)
      .join("\n  ");
  return `.visible .entry k(.param .u64 buffer) {
  .reg .b64 %rd; .reg .b32 %a, %b, %c, %d, %t, %n, %all; .reg .pred %p, %q, %always, %more, %odd;
  ld.param.u64 %rd, [buffer]; mov.u32 %t, %tid.x; mad.wide.u32 %rd, %t, 4, %rd; mov.u32 %n, 0;
  and.b32 %d, %t, 1; setp.eq.u32 %odd, %d, 1; setp.lt.u32 %always, %t, 1000; setp.ge.u32 %p, %t, 64;
  activemask.b32 %all; bar.warp.sync -1;
again:
  ld.global.u32 %a, [%rd]; mad.lo.u32 %b, %t, 0x1235, %n; shr.u32 %b, %b, 3; setp.gt.s32 %p, %a, 100;
  @%p bra apart; add.u32 %a, %a, 1;
apart:
  setp.ge.u32 %q, %t, 64; @%q bra few;
  ${each("-1")}
few:
  @!%odd bra even;
  ${eachOfSome("0xaaaaaaaa")}
  activemask.b32 %c;
  ${eachOfSome("%c")}
even:
  bar.warp.sync -1;
  ${each("%all")}
  and.b32 %c, %t, 16; shl.b32 %c, 65535, %c;
  ${each("%c")}
  and.b32 %c, %t, 28; setp.ne.u32 %q, %c, 8; shl.b32 %c, 15, %c; @%q bra fours; mov.u32 %c, %lanemask_eq;
fours:
  ${each("%c")}
  st.global.u32 [%rd], %d;
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, ${ROUNDS}; @%more bra again;
  ret;
}`;
}

test("exchanges agree with the interpreter's", async (t) => {
  const next = words(77);
  const PART = 40;
  const chosen = sample(exchanges, 8, { name: String, kind: kindOf });
  for (let i = 0; i < chosen.length; i += PART) {
    const some = chosen.slice(i, i + PART);
    const input = Int32Array.from(
      { length: THREADS * (WAYS * some.length + 1) },
      () => tellingWords[(next() >>> 2) % 40]!,
    );
    const [outcome] = await onBothEngines(kernelOf(some), new Uint8Array(input.buffer), {
      block: THREADS,
    });
    const [fast, reference] = outcome!;
    t.is(fast.result.fault, undefined);
    t.deepEqual(fast.result, reference.result);
    const [got, wanted] = [fast, reference].map(({ memory }) => new Int32Array(memory.buffer)) as [
      Int32Array,
      Int32Array,
    ];
    const wrong = some.filter((_, k) =>
      Array.from({ length: WAYS }).some((_, way) => {
        const at = THREADS * (1 + k + way * some.length);
        return got.subarray(at, at + THREADS).some((word, lane) => word !== wanted[at + lane]);
      }),
    );
    t.deepEqual(wrong, []);
  }
});
