// Which lane has which element, for mma and ldmatrix: elements are placed one at a time, by the figures of PTX ISA 9.0
// section 9.7.14.5.

import test from "ava";
import { wordsOf } from "./kernel.js";

/** Sets register `name` to `bits` in one lane and to 0 in the others. */
const only = (name: string, lane: number, bits: string): string =>
  `setp.eq.u32 %p, %t, ${lane}; selp.b32 ${name}, ${bits}, 0, %p;`;

test("mma.m16n8k16: A[9][2] times B[2][1] is D[9][1]", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %a<4>, %b<2>; .reg .f32 %d<4>, %z; mov.f32 %z, 0f00000000;
    mov.b32 %a0, 0; mov.b32 %a2, 0; mov.b32 %a3, 0; mov.b32 %b1, 0;
    ${only("%a1", 5, "0x00004000")} ${only("%b0", 5, "0x00004200")}
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%z, %z, %z, %z};
    st.global.f32 [%at], %d3; add.f32 %d0, %d0, %d1; add.f32 %d0, %d0, %d2; st.global.f32 [%at+128], %d0;`;
  const words = await wordsOf(body, 64);
  t.deepEqual(
    words.flatMap((word, i) => (word === 0 ? [] : [[i, word]])),
    [[4, 0x40c00000]],
  );
});

test("mma.m16n8k32 of bytes: A[0][17] times B[17][6] is D[0][6]", async (t) => {
  const body = `.reg .pred %p; .reg .b32 %a<4>, %b<2>, %d<4>, %z; mov.b32 %z, 5;
    mov.b32 %a0, 0; mov.b32 %a1, 0; mov.b32 %a3, 0; mov.b32 %b0, 0;
    ${only("%a2", 0, "0x0000ff00")} ${only("%b1", 24, "0x00000300")}
    mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {%z, %z, %z, %z};
    st.global.u32 [%at], %d0;`;
  const words = await wordsOf(body, 32);
  t.deepEqual(
    words.flatMap((word, i) => (word === 5 ? [] : [[i, word]])),
    [[3, 2]],
  );
});

test("ldmatrix gives each lane two neighbours of its row, and movmatrix the transposed", async (t) => {
  // Row r of the matrix holds 16 r + c.
  const body = `.reg .b32 %s, %v, %w, %i; .reg .pred %p; .shared .align 16 .b16 m[64];
    mov.u32 %s, m; shl.b32 %i, %t, 2; add.u32 %i, %s, %i;
    shr.u32 %v, %t, 2; shl.b32 %v, %v, 4; and.b32 %w, %t, 3; shl.b32 %w, %w, 1; or.b32 %v, %v, %w;
    add.u32 %w, %v, 1; shl.b32 %w, %w, 16; or.b32 %v, %v, %w; st.shared.u32 [%i], %v; bar.sync 0;
    and.b32 %i, %t, 7; shl.b32 %i, %i, 4; add.u32 %i, %s, %i;
    ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v}, [%i]; st.global.u32 [%at], %v;
    movmatrix.sync.aligned.m8n8.trans.b16 %v, %v; st.global.u32 [%at+128], %v;
    ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%w}, [%i]; st.global.u32 [%at+256], %w;`;
  const words = await wordsOf(body, 96);
  const pair = (low: number, high: number): number => low | (high << 16);
  const lanes = Array.from({ length: 32 }, (_, lane) => [lane >> 2, (lane & 3) * 2] as const);
  const straight = lanes.map(([r, c]) => pair(16 * r + c, 16 * r + c + 1));
  const transposed = lanes.map(([r, c]) => pair(16 * c + r, 16 * (c + 1) + r));
  t.deepEqual(words, [...straight, ...transposed, ...transposed]);
});
