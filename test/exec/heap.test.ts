// malloc and free of device code: live blocks do not overlap, are aligned and keep their contents, whichever threads
// free blocks.

import test from "ava";
import { runBody, wordsOf } from "./kernel.js";

const externs = ".extern .func (.param .b64 r) malloc(.param .b64 n); .extern .func free(.param .b64 p);";
const malloc = (into: string, size: string): string =>
  `{ .param .b64 n, r; st.param.b64 [n], ${size}; call (r), malloc, (n); ld.param.b64 ${into}, [r]; }`;
const free = (pointer: string): string => `{ .param .b64 p; st.param.b64 [p], ${pointer}; call free, (p); }`;

test("blocks keep their bytes while others come and go", async (t) => {
  // Each thread allocates 8 t + 1 bytes and 100 bytes, and writes its number into the first and last; odd threads free
  // the second block and allocate it again.
  const body = `.reg .b64 %p, %q, %n, %e, %m; .reg .b32 %v, %w; .reg .pred %odd, %c;
    cvt.u64.u32 %n, %t; mad.lo.u64 %n, %n, 8, 1; ${malloc("%p", "%n")} add.u64 %e, %p, %n;
    st.u8 [%p], %t; st.u8 [%e+-1], %t; ${malloc("%q", "100")} st.u32 [%q+96], %t;
    and.b32 %w, %t, 1; setp.ne.u32 %odd, %w, 0; bar.sync 0;
    @!%odd bra kept; ${free("%q")} ${malloc("%q", "200")} st.u32 [%q+96], %t; st.u32 [%q+196], %t;
    kept: bar.sync 0;
    ld.u8 %v, [%p]; ld.u8 %w, [%e+-1]; mad.lo.u32 %v, %v, 1000, %w; ld.u32 %w, [%q+96]; mad.lo.u32 %v, %v, 1000, %w;
    or.b64 %m, %p, %q; and.b64 %m, %m, 15; setp.ne.u64 %c, %m, 0; @%c mov.u32 %v, 0;
    st.global.u32 [%at], %v; ${free("%p")} ${free("%q")}`;
  t.deepEqual(
    await wordsOf(body, 64, { before: externs, block: 64 }),
    Array.from({ length: 64 }, (_, l) => (l * 1000 + l) * 1000 + l),
  );
});

test("memory from one launch can be used and freed by another; freeing null does nothing", async (t) => {
  const before = `${externs} .global .u64 kept;`;
  const body = `.reg .b64 %p, %z; .reg .pred %c; .reg .b32 %v; ld.global.u64 %p, [kept]; setp.ne.u64 %c, %p, 0; mov.u64 %z, 0; ${free("%z")}
    @%c bra again; ${malloc("%p", "64")} st.u32 [%p], 42; st.global.u64 [kept], %p; bra end;
    again: ld.u32 %v, [%p]; st.global.u32 [%out], %v; ${free("%p")} end:`;
  const { device } = await runBody(body, { before, block: 1 });
  const out = device.alloc(8);
  const { fault } = await device.launch("k", { grid: 1, block: 1, args: [out] });
  t.is(fault, undefined);
  t.is(device.read(out, new Uint32Array(1))[0], 42);
  t.is((await device.launch("k", { grid: 1, block: 1, args: [out] })).fault?.kind, "illegal-address");
});

test("free of a pointer into a block, of one freed before and of the host's memory is a fault", async (t) => {
  for (const text of [
    `${malloc("%p", "64")} add.u64 %p, %p, 8; ${free("%p")}`,
    `${malloc("%p", "64")} ${free("%p")} ${free("%p")}`,
    free("%out"),
  ]) {
    const { result } = await runBody(`.reg .b64 %p; ${text}`, { before: externs, block: 1 });
    t.is(result.fault?.kind, "illegal-address", text);
  }
});

test("an allocation that cannot be satisfied returns null", async (t) => {
  const body = `.reg .b64 %p; .reg .b32 %v; .reg .pred %c; ${malloc("%p", "0x7fffffffffffffff")} setp.eq.u64 %c, %p, 0; selp.u32 %v, 1, 0, %c; st.global.u32 [%at], %v;`;
  t.deepEqual(await wordsOf(body, 1, { before: externs, block: 1 }), [1]);
});
