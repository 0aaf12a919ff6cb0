// Conversions to and from small floats, compared with NVIDIA's own on the host: testdata/exec/host-conversions.json has
// checksums of the results of testdata/exec/host-conversions.cpp. With g++ and CUDA's headers installed, every result
// is compared.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "ava";
import { deviceOfModule } from "./kernel.js";
import { columnOf } from "./rows/operands.js";
import { cudaHome, installed, requirement, testWith } from "../tools.js";

/**
 * The instruction for each result of the program, from x (an f32), h (its low 16 bits) and y (its low 8 bits twice),
 * into d or a part of it.
 */
const conversions: readonly (readonly [text: string, bits: 4 | 8 | 16])[] = [
  ["cvt.rn.f16.f32 %d, %x", 16],
  ["cvt.rz.f16.f32 %d, %x", 16],
  ["cvt.rm.f16.f32 %d, %x", 16],
  ["cvt.rp.f16.f32 %d, %x", 16],
  ["cvt.rn.bf16.f32 %d, %x", 16],
  ["cvt.rz.bf16.f32 %d, %x", 16],
  ["cvt.rn.satfinite.e4m3x2.f32 %d, %x, %x", 8],
  ["cvt.rn.satfinite.e5m2x2.f32 %d, %x, %x", 8],
  ["cvt.rn.satfinite.e4m3x2.f16x2 %d, %hh", 8],
  ["cvt.rn.satfinite.e5m2x2.f16x2 %d, %hh", 8],
  ["cvt.rn.satfinite.e2m3x2.f32 %d, %x, %x", 8],
  ["cvt.rn.satfinite.e3m2x2.f32 %d, %x, %x", 8],
  ["cvt.rn.satfinite.e2m1x2.f32 %b, %x, %x; cvt.u16.u8 %d, %b", 4],
  ["cvt.rn.satfinite.e2m1x2.f16x2 %b, %hh; cvt.u16.u8 %d, %b", 4],
  ["cvt.rz.ue8m0x2.f32 %d, %x, %x", 8],
  ["cvt.rp.ue8m0x2.f32 %d, %x, %x", 8],
  ["cvt.rz.satfinite.ue8m0x2.f32 %d, %x, %x", 8],
  ["cvt.rp.satfinite.ue8m0x2.f32 %d, %x, %x", 8],
  ["cvt.rp.satfinite.ue8m0x2.bf16x2 %d, %hh", 8],
  ["cvt.rn.f16x2.e4m3x2 %w, %y; cvt.u16.u32 %d, %w", 16],
  ["cvt.rn.f16x2.e5m2x2 %w, %y; cvt.u16.u32 %d, %w", 16],
  ["and.b16 %y, %y, 0x3f3f; cvt.rn.f16x2.e2m3x2 %w, %y; cvt.u16.u32 %d, %w", 16],
  ["and.b16 %y, %y, 0x3f3f; cvt.rn.f16x2.e3m2x2 %w, %y; cvt.u16.u32 %d, %w", 16],
  ["cvt.u8.u16 %b, %y; cvt.rn.f16x2.e2m1x2 %w, %b; cvt.u16.u32 %d, %w", 16],
  ["cvt.rn.bf16x2.ue8m0x2 %w, %y; cvt.u16.u32 %d, %w", 16],
];

/** Edge cases and random f32, and every 16-bit number as the lower half of one. */
const inputs = Uint32Array.from(
  [
    ...[0, 1, 2, 3].flatMap((seed) => [0, 1, 2].flatMap((place) => Array.from(columnOf("f32", place, seed), Number))),
    ...Array.from({ length: 8192 }, (_, i) => (Math.imul(i, 0x9e3779b1) & 0xffff0000) | (i * 8 + (i & 7))),
  ].map((word) => word >>> 0),
);

async function ours(): Promise<readonly Uint16Array[]> {
  const kernel = (
    text: string,
    index: number,
    bits: number,
  ): string => `.visible .entry k${index}(.param .u64 in, .param .u64 out) {
    .reg .b64 %in, %out, %at; .reg .b32 %t, %w, %hh, %n; .reg .f32 %x; .reg .b16 %d, %h, %y; .reg .b8 %b;
    ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %n, %ctaid.x; mad.lo.u32 %t, %n, 256, %t;
    mul.wide.u32 %at, %t, 4; add.u64 %in, %in, %at; mul.wide.u32 %at, %t, 2; add.u64 %out, %out, %at;
    ld.global.f32 %x, [%in]; ld.global.b16 %h, [%in]; mov.b32 %hh, {%h, %h}; ld.global.u8 %y, [%in]; mul.lo.u16 %y, %y, 257;
    ${text}; and.b16 %d, %d, ${2 ** bits - 1}; st.global.b16 [%out], %d; ret; }`;
  const device = deviceOfModule(
    `.version 9.0\n.target sm_100a\n.address_size 64\n${conversions.map(([text, bits], i) => kernel(text, i, bits)).join("\n")}`,
  );
  const input = device.alloc(inputs);
  const out = device.alloc(2 * inputs.length);
  const all: Uint16Array[] = [];
  for (const [i] of conversions.entries()) {
    const { fault } = await device.launch(`k${i}`, { grid: inputs.length / 256, block: 256, args: [input, out] });
    if (fault !== undefined) throw new Error(fault.message);
    all.push(device.read(out, new Uint16Array(inputs.length)));
  }
  return all;
}

function theirs(include: string): readonly Uint16Array[] {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-conversions-"));
  try {
    const program = join(folder, "conversions");
    execFileSync("g++", ["-O1", "-w", "-I", include, "-o", program, "testdata/exec/host-conversions.cpp"]);
    const output = execFileSync(program, { input: new Uint8Array(inputs.buffer), maxBuffer: 1 << 28 });
    const words = new Uint16Array(output.buffer.slice(output.byteOffset, output.byteOffset + output.length));
    return conversions.map((_, k) => Uint16Array.from(inputs, (_each, i) => words[conversions.length * i + k]!));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const checksum = (values: Uint16Array): string =>
  (values.reduce((hash, value) => Math.imul(hash ^ value, 0x9e3779b1) ^ (hash >>> 15), 0x811c9dc5) >>> 0).toString(16);

const RECORD = "testdata/exec/host-conversions.json";
const toolkit = cudaHome("include/cuda_fp4.h");
const hasHeaders = requirement(
  toolkit !== undefined,
  "CUDA's headers are not in CUDA_HOME, CUDA_PATH or /usr/local/cuda",
);
const needs = [hasHeaders, installed("g++")];
const live = needs.every(({ isMet }) => isMet) ? theirs(join(toolkit!, "include")) : undefined;
if (live !== undefined && process.env["PTXKIT_UPDATE"] === "1")
  writeFileSync(RECORD, `${JSON.stringify(live.map(checksum), undefined, 2)}\n`);
const recorded = JSON.parse(readFileSync(RECORD, "utf8")) as readonly string[];
const found = ours();

test("small floats convert as recorded of NVIDIA's headers on the host", async (t) => {
  const results = await found;
  conversions.forEach(([text], k) => t.is(checksum(results[k]!), recorded[k]!, text));
});

testWith(...needs)("small floats convert as NVIDIA's headers convert them on the host", async (t) => {
  const results = await found;
  conversions.forEach(([text], k) => {
    const wrong = live![k]!.findIndex((value, i) => value !== results[k]![i]);
    if (wrong >= 0)
      t.fail(
        `${text} of ${inputs[wrong]!.toString(16)}: ${results[k]![wrong]!.toString(16)}, not ${live![k]![wrong]!.toString(16)}`,
      );
    t.is(checksum(live![k]!), recorded[k]!, text);
  });
});
