// Single instructions, compared with the C compiler's arithmetic: testdata/exec/meanings.bin.gz is made by meanings.c,
// whose header has the command and the format. Every row is a kernel of one module. Operands are generated here as in
// meanings.c, so that only results are stored.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import test from "ava";
import type { Device } from "../../lib/exec/device/interface.js";
import { sample } from "../sample.js";
import { deviceOf } from "./kernel.js";
import { mix } from "./rows/operands.js";

const CASES = 192;

interface Row {
  readonly text: string;
  readonly kinds: readonly string[];
  readonly expected: DataView;
}

function readRows(bytes: Buffer): readonly Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < bytes.length;) {
    const take = (length: number): Buffer => bytes.subarray(at, (at += length));
    const text = take(take(1)[0]!).toString();
    const kinds = take(take(1)[0]!).toString().split(" ");
    const expected = take(CASES * sizeOf(kinds[0]!));
    rows.push({ text, kinds, expected: new DataView(expected.buffer, expected.byteOffset, expected.length) });
  }
  return rows;
}

// ------------------------------------------------------------------------------------------------------------- operands

const big = (values: readonly (number | bigint)[]): readonly bigint[] => values.map((value) => BigInt(value));

const edges: Readonly<Record<string, readonly bigint[]>> = {
  bits: big([
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    31,
    32,
    33,
    63,
    64,
    127,
    128,
    255,
    256,
    0x3210,
    0x7fff,
    0x8000,
    0xffff,
    0x10000,
    0xffffff,
    0x7fffffff,
    0x80000000,
    0x80000001,
    0xaaaaaaaa,
    0xfffffffe,
    0xffffffff,
    0x100000000,
    0x7fffffffffffffffn,
    0x8000000000000000n,
    0x8000000080000000n,
    0xfffffffffffffffen,
    0xffffffffffffffffn,
  ]),
  f32: big([
    0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 1, 0x80000001, 0x007fffff,
    0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0xffc12345, 0x4b800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0x3f7fffff, 0x42ff0000,
    0x437f8000, 0x477fe000, 0x477ff000, 0x3dcccccd, 0x33800000, 0x38800000, 0x3f800001,
  ]),
  f64: [
    0n,
    0x8000000000000000n,
    0x3ff0000000000000n,
    0xbff0000000000000n,
    0x3fe0000000000000n,
    0x4004000000000000n,
    0xc004000000000000n,
    1n,
    0x800fffffffffffffn,
    0x0010000000000000n,
    0x7fefffffffffffffn,
    0x7ff0000000000000n,
    0xfff0000000000000n,
    0x7ff8000000000000n,
    0x7ff0000000000001n,
    0xfff8000012345678n,
    0x41dfffffffe00000n,
    0x41e0000000000000n,
    0xc1e0000000000000n,
    0xc1e0000000100000n,
    0x43dfffffffffffffn,
    0x43e0000000000000n,
    0xc3e0000000000000n,
    0x43f0000000000000n,
    0x36a0000000000000n,
    0x3690000000000000n,
    0x380fffffffffffffn,
    0x47efffffe0000000n,
    0x47effffff0000000n,
    0x40f0000000000000n,
    0x406fe80000000000n,
    0x3fb999999999999an,
    0x3ca0000000000000n,
    0x40effc0000000000n,
    0x3e60000000000000n,
  ],
  f16: big([
    0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0xc100, 1, 0x8001, 0x3ff, 0x83ff, 0x400, 0x8400, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12, 0x5bf8, 0x3bff, 0x3c01, 0x1400, 0x6400,
  ]),
  bf16: big([
    0, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020, 1, 0x8001, 0x7f, 0x807f, 0x80, 0x8080, 0x7f7f, 0xff7f,
    0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 0x3f7f, 0x3f81, 0x4f00, 0x3380, 0x437f,
  ]),
  count: big([
    0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 28, 31, 32, 33, 40, 48, 62, 63, 64, 65, 127, 128, 255, 256, 257,
    0x7fffffff, 0x80000000, 0xffffffff,
  ]),
};

/**
 * Floats of moderate size: the bits to keep, the least exponent, the number of exponents, and the position of the
 * exponent.
 */
const moderate: Readonly<Record<string, readonly [keep: bigint, least: bigint, span: bigint, shift: bigint]>> = {
  f32: [0x807fffffn, 120n, 15n, 23n],
  f64: [0x800fffffffffffffn, 1010n, 31n, 52n],
  f16: [0x83ffn, 12n, 7n, 10n],
  bf16: [0x807fn, 124n, 7n, 7n],
};

/** operand() of meanings.c. */
function operand(kind: string, at: number, i: number): bigint {
  const r = mix(BigInt(8 * i + at));
  const s = mix(r);
  const isEdge = i < 112;
  const edge = (list: readonly bigint[], random: bigint): bigint => list[Number(random % BigInt(list.length))]!;
  if (kind === "pred") return r & 1n;
  if (kind === "count") return isEdge ? edge(edges["count"]!, r) : r & 63n;
  const single = kind.replace("x2", "");
  const list = edges[single];
  if (list === undefined) return BigInt.asUintN(bitsOf(kind), isEdge ? edge(edges["bits"]!, r) : r);
  if (single !== kind) return isEdge ? edge(list, r) | (edge(list, s) << 16n) : BigInt.asUintN(32, r);
  if (isEdge) return edge(list, r);
  if (i < 152) return BigInt.asUintN(bitsOf(kind), r);
  const [keep, least, span, shift] = moderate[kind]!;
  return (r & keep) | ((least + (s & span)) << shift);
}

/** Bits of an operand's register. */
function bitsOf(kind: string): number {
  return kind.includes("64") ? 64 : kind.includes("16") && !kind.includes("x2") ? 16 : 32;
}

/** Bytes of a result. */
function sizeOf(kind: string): number {
  return kind === "pred" ? 1 : bitsOf(kind) / 8;
}

// -------------------------------------------------------------------------------------------------------------- kernels

const registers = ["d", "a", "b", "c", "e"];
const registerType = (kind: string): string =>
  kind === "pred" || kind === "f32" || kind === "f64" ? kind : `b${bitsOf(kind)}`;

/** Register types that the row requires: cvt with .bf16 takes 8-bit integers in such registers only. */
function narrowRegisters(text: string): ReadonlyMap<string, string> {
  const [, to, from] = /^cvt\..*?(?:([us]8)\.bf16|bf16\.([us]8)) d, a$/.exec(text) ?? [];
  return new Map([
    ...(to === undefined ? [] : [["d", to] as const]),
    ...(from === undefined ? [] : [["a", from] as const]),
  ]);
}

/** The row as a kernel: thread i reads operand k at in[k * CASES + i] and writes out[i], eight bytes each. */
function kernelOf({ text, kinds }: Row, index: number): string {
  const narrow = narrowRegisters(text);
  const loads = kinds.slice(1).map((kind, k) => {
    const name = registers[k + 1]!;
    const from = `[%in+${8 * CASES * k}]`;
    return kind === "pred"
      ? `ld.global.u32 %w, ${from}; setp.ne.u32 ${name}, %w, 0;`
      : `ld.global.b${narrow.has(name) ? 8 : bitsOf(kind)} ${name}, ${from};`;
  });
  const result = narrow.get("d");
  const store =
    kinds[0] === "pred"
      ? "selp.u32 %w, 1, 0, d; st.global.u32 [%out], %w;"
      : result === undefined
        ? `st.global.b${bitsOf(kinds[0]!)} [%out], d;`
        : `cvt.${result[0]}32.${result} %w, d; st.global.b32 [%out], %w;`;
  return `.visible .entry k${index}(.param .u64 out, .param .u64 in) {
  .reg .b64 %out, %in; .reg .b32 %w;
  ${kinds.map((kind, k) => `.reg .${narrow.get(registers[k]!) ?? registerType(kind)} ${registers[k]};`).join(" ")}
  ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %w, %tid.x;
  mad.wide.u32 %out, %w, 8, %out; mad.wide.u32 %in, %w, 8, %in;
  ${loads.join(" ")}
  ${text.endsWith("}") && text.startsWith("{") ? text : `${text};`}
  ${store}
  ret;
}`;
}

const hex = (x: bigint): string => `0x${x.toString(16)}`;

/** The first few differences between device and row, as text. */
async function differences(device: Device, row: Row, index: number): Promise<readonly string[]> {
  const input = new DataView(new ArrayBuffer(8 * CASES * 4));
  row.kinds.slice(1).forEach((kind, k) => {
    for (let i = 0; i < CASES; i++) input.setBigUint64(8 * (CASES * k + i), operand(kind, k + 1, i), true);
  });
  const out = device.alloc(8 * CASES);
  const source = device.alloc(input);
  const { fault } = await device.launch(`k${index}`, { grid: 1, block: CASES, args: [out, source] });
  if (fault !== undefined) return [`${row.text}: ${fault.message}`];
  const found = device.read(out, new DataView(new ArrayBuffer(8 * CASES)));
  device.free(out);
  device.free(source);
  const size = sizeOf(row.kinds[0]!);
  const at = (view: DataView, offset: number): bigint => {
    let value = 0n;
    for (let byte = size - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(view.getUint8(offset + byte));
    return value;
  };
  const wrong = Array.from({ length: CASES }, (_, i) => i).filter(
    (i) => at(found, 8 * i) !== at(row.expected, size * i),
  );
  return wrong.slice(0, 3).map((i) => {
    const operands = row.kinds.slice(1).map((kind, k) => hex(operand(kind, k + 1, i)));
    return `${row.text} of ${operands.join(", ")}: ${hex(at(found, 8 * i))}, not ${hex(at(row.expected, size * i))}`;
  });
}

const rows = readRows(gunzipSync(readFileSync("testdata/exec/meanings.bin.gz")));
const opcodeOf = ({ text }: Row): string => /(?:^|; )([a-z]\w*)\.[^;]*?\bd\b/.exec(text)?.[1] ?? "mov";
const device = deviceOf(rows.map(kernelOf).join("\n"));

/** A sample has one in 8 of each opcode. */
const some = sample([...rows.entries()], 8, { name: ([, { text }]) => text, kind: ([, row]) => opcodeOf(row) });

for (const opcode of new Set(rows.map(opcodeOf))) {
  test(`${opcode} gives what C's arithmetic gives`, async (t) => {
    const wrong: string[] = [];
    for (const [index, row] of some)
      if (opcodeOf(row) === opcode) wrong.push(...(await differences(device, row, index)));
    t.deepEqual(wrong, []);
  });
}
