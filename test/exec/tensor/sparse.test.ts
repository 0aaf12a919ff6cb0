// mma.sp: which elements of B belong to the stored ones of A, by metadata and selector. PTX ISA 9.0 section 9.7.14.6.

import { deviceOfModule } from "../kernel.js";
import test from "ava";
import { wordsOf } from "../kernel.js";

/** All of A is 1, and B[k][n] is k, so that an element of D is the sum of the selected rows. */
async function sums(metadata: string, selector = 0): Promise<readonly number[]> {
  const body = `.reg .b32 %b<4>, %e, %q, %x, %one; .reg .f32 %d<4>, %z; .reg .pred %p; .reg .f16 %lo, %hi; .reg .u16 %h;
    mov.b32 %one, 0x3c003c00; mov.f32 %z, 0f00000000; and.b32 %q, %t, 3; shl.b32 %x, %q, 1;
    ${[0, 1, 2, 3]
      .map(
        (r) => `add.u32 %e, %x, ${8 * r}; cvt.rn.f16.u32 %lo, %e; add.u32 %e, %e, 1; cvt.rn.f16.u32 %hi, %e;
    mov.b32 %b${r}, {%lo, %hi};`,
      )
      .join("\n    ")}
    ${metadata}
    mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3},
      {%one, %one, %one, %one}, {%b0, %b1, %b2, %b3}, {%z, %z, %z, %z}, %e, ${selector};
    cvt.rzi.s32.f32 %x, %d0; st.global.u32 [%at], %x; cvt.rzi.s32.f32 %x, %d3; st.global.u32 [%at+128], %x;`;
  return wordsOf(body, 64);
}

// The first two of each four rows 4i to 4i + 3: 8i + 1, for eight i.
const FIRST = 8 * 28 + 8;

test("indices 0 and 1 select the first two of each four", async (t) => {
  t.deepEqual(await sums("mov.b32 %e, 0x44444444;"), new Array(64).fill(FIRST));
});

test("indices 2 and 3 select the last two", async (t) => {
  t.deepEqual(await sums("mov.b32 %e, 0xeeeeeeee;"), new Array(64).fill(FIRST + 32));
});

test("rows 8 to 15 have their metadata in the upper half", async (t) => {
  const [upper, lower] = [new Array<number>(32).fill(FIRST), new Array<number>(32).fill(FIRST + 32)];
  t.deepEqual(await sums("mov.b32 %e, 0xeeee4444;"), [...upper, ...lower]);
});

test("the second thread of a quad has the second half of k", async (t) => {
  const words = await sums("setp.eq.u32 %p, %q, 1; selp.b32 %e, 0xeeeeeeee, 0x44444444, %p;");
  t.deepEqual(words, new Array(64).fill(FIRST + 16));
});

test("selector 1 takes the metadata of threads 2 and 3", async (t) => {
  const words = await sums("setp.ge.u32 %p, %q, 2; selp.b32 %e, 0xeeeeeeee, 0x44444444, %p;", 1);
  t.deepEqual(words, new Array(64).fill(FIRST + 32));
});

test("indices that are equal select one element twice", async (t) => {
  t.deepEqual(await sums("mov.b32 %e, 0;"), new Array(64).fill(2 * 4 * 28));
});

test("selectors past the threads that hold metadata stop the kernel, as on an H100", async (t) => {
  for (const [selector, kind] of [
    [1, undefined],
    [2, "trap"],
  ] as const) {
    const device = deviceOfModule(`.version 9.0
.target sm_90a
.address_size 64
.visible .entry k() {
  .reg .b32 %r<20>;
  mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r7},
    {%r8, %r9, %r10, %r11}, {%r12, %r13, %r14, %r15}, %r16, ${selector};
  ret;
}`);
    for (const engine of ["reference", "fast"] as const) {
      const { fault } = await device.launch("k", { grid: [1, 1, 1], block: [32, 1, 1], args: [], engine });
      t.is(fault?.kind, kind);
    }
  }
});
