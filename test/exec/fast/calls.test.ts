// Calls in generated code: results and stops are the same on both engines, wherever lanes diverge, however deep the
// calls are, and whichever engine makes the call.

import test from "ava";
import { createLaunch } from "../../../lib/exec/launch/launch.js";
import { createPrograms } from "../../../lib/exec/program/programs.js";
import type { FaultKind } from "../../../lib/exec/state/result.js";
import { header } from "../kernel.js";
import { loadText } from "../pipeline.js";
import { onBothEngines } from "./both.js";

/** Functions, and a kernel that executes `body` 40 times: %n counts, and %x has the previous result. */
const module = (functions: string, body: string, declared = ""): string => `
${functions}
.visible .entry k(.param .u64 buffer) {
  .reg .b64 %base, %at, %far; .reg .b32 %n, %t, %x, %y, %z; .reg .pred %more, %p, %q; ${declared}
  ld.param.u64 %base, [buffer]; mov.u32 %y, %ctaid.x; mov.u32 %t, %ntid.x; mul.lo.u32 %y, %y, %t; mov.u32 %t, %tid.x;
  add.u32 %y, %y, %t; mad.wide.u32 %at, %y, 4, %base; mov.u32 %n, 0; mov.u32 %x, %y;
again:
  ${body}
  add.u32 %n, %n, 1; setp.lt.u32 %more, %n, 40; @%more bra again;
  st.global.u32 [%at], %x; ret;
}`;

const call = (name: string, guard = ""): string =>
  `{ .param .b32 a; .param .b32 r; st.param.b32 [a], %x; st.param.b32 [r], %n; ${guard} call (r), ${name}, (a); ld.param.b32 %x, [r]; }`;

const mix = `.func (.param .b32 r) mix(.param .b32 a) { .reg .b32 %a, %b; .reg .pred %p;
  ld.param.b32 %a, [a]; shl.b32 %b, %a, 3; xor.b32 %a, %a, %b; mad.lo.u32 %a, %a, 77, 5; st.param.b32 [r], %a;
  and.b32 %b, %a, 3; setp.eq.u32 %p, %b, 0; @%p ret; add.u32 %a, %a, 1; st.param.b32 [r], %a; ret; }`;

/** Recurses deeper the larger the argument's lowest bits are. */
const deep = `.func (.param .b32 r) deep(.param .b32 a);
.func (.param .b32 r) deep(.param .b32 a) { .reg .b32 %a, %b; .reg .pred %p; .local .b32 own;
  ld.param.b32 %a, [a]; st.local.b32 [own], %a; and.b32 %b, %a, 31; setp.eq.u32 %p, %b, 0; st.param.b32 [r], %a; @%p ret;
  sub.u32 %a, %a, 1; { .param .b32 v; .param .b32 w; st.param.b32 [v], %a; call (w), deep, (v); ld.param.b32 %a, [w]; }
  ld.local.b32 %b, [own]; mad.lo.u32 %a, %a, 3, %b; and.b32 %a, %a, 0x7fffffe7; st.param.b32 [r], %a; ret; }`;

const endless = `.func endless(.param .b32 a);
.func endless(.param .b32 a) { .reg .b32 %a; .local .b8 own[2000]; ld.param.b32 %a, [a]; add.u32 %a, %a, 1;
  { .param .b32 v; st.param.b32 [v], %a; call endless, (v); } ret; }`;

const wild = `.func (.param .b32 r) wild(.param .b32 a, .param .b64 at) { .reg .b32 %a; .reg .b64 %at; .reg .pred %p;
  ld.param.b32 %a, [a]; ld.param.b64 %at, [at]; setp.eq.u32 %p, %a, 37; @%p mov.u64 %at, 16;
  ld.global.u32 %a, [%at]; st.param.b32 [r], %a; ret; }`;

const kinds: Readonly<Record<string, readonly [functions: string, body: string, declared?: string]>> = {
  "of a small function": [mix, call("mix")],
  "in a branch": [
    mix,
    `and.b32 %y, %x, 1; setp.eq.u32 %p, %y, 0; @%p bra skip; ${call("mix")} skip: add.u32 %x, %x, 7;`,
  ],
  "with a guard": [mix, `and.b32 %y, %x, 5; setp.eq.u32 %p, %y, 0; ${call("mix", "@!%p")} add.u32 %x, %x, 3;`],
  "of itself": [deep, call("deep")],
  "of two that call": [
    `${deep} ${mix} .func (.param .b32 r) both(.param .b32 a) { .reg .b32 %n, %x, %y; .reg .pred %p; ld.param.b32 %x, [a];
     and.b32 %n, %x, 3; setp.gt.u32 %p, %n, 1; @%p bra other; ${call("deep")} bra out; other: ${call("mix")}
     out: st.param.b32 [r], %x; ret; }`,
    call("both"),
  ],
  "with arguments of every size": [
    `.func (.param .align 8 .b8 r[24]) sizes(.param .b8 a, .param .b16 b, .param .b64 c, .param .align 4 .b8 d[7]) {
       .reg .b16 %a, %b; .reg .b32 %x; .reg .b64 %c; ld.param.u8 %a, [a]; ld.param.u16 %b, [b]; ld.param.u64 %c, [c]; ld.param.u8 %x, [d+6];
       add.u64 %c, %c, 9; st.param.b8 [r+3], %a; st.param.b16 [r+4], %b; st.param.b64 [r+16], %c; st.param.b32 [r+8], %x; ret; }`,
    `{ .param .b8 a; .param .b16 b; .param .b64 c; .param .align 4 .b8 d[7]; .param .align 8 .b8 r[24]; .reg .b16 %h; .reg .b64 %l;
       cvt.u16.u32 %h, %x; mul.wide.u32 %l, %x, %x; st.param.b8 [a], %h; st.param.b16 [b], %h; st.param.b64 [c], %l; st.param.b8 [d+6], %h;
       call (r), sizes, (a, b, c, d); ld.param.b64 %l, [r+16]; cvt.u32.u64 %y, %l; ld.param.b32 %z, [r+8]; add.u32 %x, %z, %y; ld.param.u8 %y, [r+3];
       ld.param.u16 %z, [r+4]; xor.b32 %x, %x, %y; mad.lo.u32 %x, %z, 5, %x; }`,
  ],
  "by registers": [
    mix,
    `{ .param .b32 r; call (r), mix, (%x); ld.param.b32 %x, [r]; } { .param .b32 r; call (r), mix, (99); ld.param.b32 %y, [r]; add.u32 %x, %x, %y; }`,
  ],
  "through pointers": [
    `${mix} ${deep}`,
    `mov.u64 %far, mix; mov.u64 %base, deep; and.b32 %y, %x, 1; setp.eq.u32 %p, %y, 0; selp.b64 %far, %far, %base, %p;
     { .param .b32 a; .param .b32 r; st.param.b32 [a], %x; proto: .callprototype (.param .b32 _) _ (.param .b32 _); call (r), %far, (a), proto; ld.param.b32 %x, [r]; }`,
  ],
  "that meet at barriers": [
    `.shared .b32 tile[128]; .func (.param .b32 r) swap(.param .b32 a) { .reg .b32 %a, %t, %s; ld.param.b32 %a, [a]; mov.u32 %t, %tid.x;
     mov.u32 %s, tile; mad.lo.u32 %t, %t, 4, %s; st.shared.b32 [%t], %a; bar.sync 0; xor.b32 %t, %t, 132; ld.shared.b32 %a, [%t]; bar.sync 0;
     mov.u32 %s, %clock; add.u32 %a, %a, %s; st.param.b32 [r], %a; ret; }`,
    call("swap"),
  ],
  "from which lanes exit": [
    `.func (.param .b32 r) some(.param .b32 a) { .reg .b32 %a, %b; .reg .pred %p; ld.param.b32 %a, [a]; mad.lo.u32 %a, %a, 5, 3; and.b32 %b, %a, 127;
     setp.eq.u32 %p, %b, 0; @%p exit; st.param.b32 [r], %a; ret; }`,
    call("some"),
  ],
  "whose lanes exchange": [
    `.func (.param .b32 r) sum(.param .b32 a) { .reg .b32 %a, %b; ld.param.b32 %a, [a]; activemask.b32 %b; redux.sync.add.u32 %a, %a, %b;
     st.param.b32 [r], %a; ret; }`,
    `and.b32 %y, %x, 3; setp.eq.u32 %p, %y, 0; @%p bra skip; ${call("sum")} skip: add.u32 %x, %x, %t;`,
  ],
  "without an end": [endless, `{ .param .b32 a; st.param.b32 [a], %x; call endless, (a); }`],
  "that fault": [
    wild,
    `{ .param .b32 a; .param .b64 b; .param .b32 r; mad.lo.u32 %y, %t, 1, %n; st.param.b32 [a], %y; st.param.b64 [b], %at; call (r), wild, (a, b); ld.param.b32 %x, [r]; }`,
  ],
};

const faults: Readonly<Record<string, FaultKind | undefined>> = {
  "without an end": "stack-overflow",
  "that fault": "illegal-address",
};

for (const [name, [functions, body, declared]] of Object.entries(kinds))
  test(`calls ${name} agree`, async (t) => {
    const text = module(functions, body, declared);
    const input = new Uint8Array(4 * 100 * 40);
    const [[fast, reference] = []] = await onBothEngines(text, input, { grid: 40, block: 100 });
    t.is(reference!.result.fault?.kind, faults[name]);
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  });

test("a limit stops calls at the same instruction", async (t) => {
  const text = module(deep, call("deep"));
  for (const maxInstructions of [900, 2500, 7001, 7002, 7003, 12345]) {
    const [[fast, reference] = []] = await onBothEngines(text, new Uint8Array(1280), { block: 320, maxInstructions });
    t.is(reference!.result.fault?.kind, "instruction-limit");
    t.deepEqual(fast!.result, reference!.result);
    t.true(Buffer.compare(fast!.memory, reference!.memory) === 0);
  }
});

test("frames that a fault abandoned can be used by the next launch", async (t) => {
  const process = loadText(header + module(endless, `call endless, (%x);`));
  const programs = createPrograms(process, { hotAfter: 0 });
  const framesOf = (): number => programs.programOf(process.kernels.get("k")!.function).frames.size;
  const parameters = new Uint8Array(8);
  for (const engine of ["fast", "reference"] as const)
    for (const maxInstructions of [100_000, 700, 100]) {
      const shape = { grid: [4, 1, 1], block: [100, 1, 1], sharedBytes: 0, parameters } as const;
      const launch = async (): Promise<FaultKind | undefined> =>
        (await createLaunch(process, process.kernels.get("k")!, shape, { programs, engine, maxInstructions }).run())
          .fault?.kind;
      t.is(await launch(), maxInstructions === 100_000 ? "stack-overflow" : "instruction-limit");
      const frames = framesOf();
      for (let i = 0; i < 3; i++) await launch();
      t.is(framesOf(), frames);
    }
});
