// Registers of wmma fragments on sm_90, and moves of 8-, 6- and 4-bit matrices.

import test from "ava";
import { deviceOfModule, runBody, wordsOf } from "../kernel.js";

/** Fills 1024 bytes of shared memory at %s: byte i is i modulo 256. */
const filled = `.shared .align 128 .b8 m[1024]; .reg .b32 %s, %i, %v; .reg .pred %p;
    mov.u32 %s, m; mov.u32 %i, %t;
  FILL: add.u32 %v, %i, %s; st.shared.u8 [%v], %i; add.u32 %i, %i, 32; setp.lt.u32 %p, %i, 1024; @%p bra FILL; bar.sync 0;`;

test("wmma A of m16n16k16: rows 8 to 15 in odd registers, the second half of k in registers 2 and 3, all twice", async (t) => {
  const body = `${filled} .reg .b32 %a<8>;
    wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%s];
    st.global.u32 [%at], %a0; st.global.u32 [%at+128], %a1; st.global.u32 [%at+256], %a2; st.global.u32 [%at+384], %a7;`;
  const words = await wordsOf(body, 128);
  // Element (row, k) has bytes 32 row + 2k and the next.
  const pair = (row: number, k: number): number => {
    const [low, high] = [(32 * row + 2 * k) & 255, (32 * row + 2 * k + 2) & 255];
    return low | ((low + 1) << 8) | (high << 16) | ((high + 1) << 24);
  };
  const lanes = Array.from({ length: 32 }, (_, lane) => [lane >> 2, 2 * (lane & 3)] as const);
  t.deepEqual(words, [
    ...lanes.map(([g, k]) => pair(g, k)),
    ...lanes.map(([g, k]) => pair(g + 8, k)),
    ...lanes.map(([g, k]) => pair(g, k + 8)),
    ...lanes.map(([g, k]) => pair(g + 8, k + 8)),
  ]);
});

test("wmma loads columns and stores rows: the matrix is transposed", async (t) => {
  const body = `${filled} .reg .b32 %a<8>;
    wmma.load.c.sync.aligned.col.m16n16k16.shared.f32 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [%s];
    wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%out], {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7};`.replaceAll(
    ".reg .b32 %a<8>",
    ".reg .f32 %a<8>",
  );
  const words = await wordsOf(body, 256);
  const word = (at: number): number => [0, 1, 2, 3].reduce((sum, i) => sum | (((4 * at + i) & 255) << (8 * i)), 0);
  t.deepEqual(
    words,
    Array.from({ length: 256 }, (_, i) => word(16 * (i % 16) + Math.floor(i / 16))),
  );
});

const lanes = Array.from({ length: 32 }, (_, lane) => [lane >> 2, lane & 3] as const);
const bytes = (...values: readonly number[]): number => values.reduce((sum, v, i) => sum | ((v & 255) << (8 * i)), 0);
/** The lane's address is that of row `lane`; rows have 16 bytes. */
const rowAddress = "shl.b32 %i, %t, 4; add.u32 %i, %i, %s;";

test("ldmatrix of m16n16 bytes gives four columns of two rows of the transposed matrix", async (t) => {
  const body = `${filled} .reg .b32 %d<2>; ${rowAddress}
    ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%d0, %d1}, [%i]; st.global.u32 [%at], %d0; st.global.u32 [%at+128], %d1;`;
  const at = (row: number, column: number): number => 16 * row + column;
  const register = (j: number): readonly number[] =>
    lanes.map(([g, q]) => {
      const k = 4 * q + 2 * j;
      return bytes(at(k, g), at(k + 1, g), at(k, g + 8), at(k + 1, g + 8));
    });
  t.deepEqual(await wordsOf(body, 64), [...register(0), ...register(1)]);
});

test("ldmatrix of 4-bit and 6-bit elements makes bytes of them", async (t) => {
  const body = `${filled} .reg .b32 %d<2>; ${rowAddress}
    ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%d0}, [%i];
    ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {%d1}, [%i];
    st.global.u32 [%at], %d0; st.global.u32 [%at+128], %d1;`;
  const packed = (bits: number) => (row: number, i: number) => {
    const all = Array.from({ length: 12 }, (_, byte) => BigInt((16 * row + byte) & 255) << BigInt(8 * byte));
    return Number((all.reduce((x, y) => x | y) >> BigInt(bits * i)) & BigInt(2 ** bits - 1));
  };
  const register = (at: (row: number, i: number) => number): readonly number[] =>
    lanes.map(([g, q]) => bytes(...[0, 1, 2, 3].map((e) => at(g, 4 * q + e))));
  t.deepEqual(await wordsOf(body, 64), [...register(packed(4)), ...register(packed(6))]);
});

test("ldmatrix.s8.s4 makes bytes with a sign of integers of 4 bits", async (t) => {
  const device = deviceOfModule(`.version 9.4
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 out) {
    .reg .b64 %out, %at; .reg .b32 %t, %d; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;
    mul.wide.u32 %at, %t, 4; add.u64 %at, %at, %out; ${filled} ${rowAddress}
    ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4 {%d}, [%i]; st.global.u32 [%at], %d; ret;
}`);
  const buffer = device.alloc(128);
  t.is((await device.launch("k", { grid: 1, block: 32, args: [buffer] })).fault, undefined);
  const out = device.read(buffer, new DataView(new ArrayBuffer(128)));
  // Element i of a row is half of its byte i / 2, which is at 16 row + i / 2.
  const at = (row: number, i: number): number => ((((16 * row + (i >> 1)) >> (4 * (i & 1))) << 28) >> 28) & 255;
  t.deepEqual(
    lanes.map((_, lane) => out.getInt32(4 * lane, true)),
    lanes.map(([g, q]) => bytes(...[0, 1, 2, 3].map((e) => at(g, 4 * q + e)))),
  );
});

test("stmatrix of bytes stores what ldmatrix with .trans loads", async (t) => {
  const body = `${filled} .reg .b32 %d0, %j; ${rowAddress} shl.b32 %j, %t, 2; add.u32 %j, %j, %s;
    mul.lo.u32 %d0, %t, 0x04040404; add.u32 %d0, %d0, 0x03020100;
    stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%i], {%d0}; bar.sync 0; ld.shared.u32 %v, [%j]; st.global.u32 [%at], %v;`;
  // Byte e of lane 4g + q is in row g + 8 (e / 2) and column 2q + e % 2; memory has columns as rows of 16.
  const memory = new Uint8Array(128);
  lanes.forEach(([g, q], lane) =>
    [0, 1, 2, 3].forEach((e) => (memory[16 * (2 * q + (e & 1)) + g + 8 * (e >> 1)] = 4 * lane + e)),
  );
  t.deepEqual(await wordsOf(body, 32), [...new Int32Array(memory.buffer)]);
});

test("a wmma access past its memory names the element and its address", async (t) => {
  const body = `.reg .b32 %a<8>; .shared .align 32 .b8 s[256]; .reg .b32 %s; mov.u32 %s, s;
    wmma.load.a.sync.aligned.row.m16n16k16.SPACE.f16 {%a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7}, [FROM], STRIDE;`;
  const fault = async (space: string, from: string, stride: number): Promise<string> =>
    (
      await runBody(body.replace("SPACE", space).replace("FROM", from).replace("STRIDE", `${stride}`), {
        block: 32,
        before: ".global .align 32 .b8 g[256];",
      })
    ).result.fault!.message;
  t.regex(
    await fault("shared", "%s", 100_000),
    /^row 1, column 0 of the matrix: 2-byte read at offset 0x[0-9a-f]+ of shared memory/,
  );
  t.regex(
    await fault("global", "g", 16),
    /^row 8, column 0 of the matrix: 2-byte read at 0x[0-9a-f]+, directly after .*'g'/,
  );
});
