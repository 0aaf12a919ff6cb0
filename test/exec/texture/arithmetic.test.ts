// The steps of a fetch: coordinates, weights, sums, levels and cubes, on values from docs/textures.md.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { readMemoryRecords } from "../../hardware/memory.js";
import { f32FromBits, f32ToBits } from "../../../lib/base/num/bits.js";
import { BORDER, fold, inTexels, linearTexels, MODE, pointTexel } from "../../../lib/exec/texture/coordinates.js";
import { facePosition, faceTexel } from "../../../lib/exec/texture/cube.js";
import { formatStores } from "../../../lib/exec/texture/format-stores.table.js";
import { gradientLevel, inLevels, levelOf } from "../../../lib/exec/texture/levels.js";
import { sums } from "../../../lib/exec/texture/sums.js";
import { share, spreadCorner } from "../../../lib/exec/texture/weights.js";

const taps = (u: number, n: number, mode: number): readonly number[] => {
  const into = new Int32Array(3);
  linearTexels(u, n, mode, 0, false, into, 0);
  return [...into];
};

test("address modes clamp, wrap or mirror a texel's index, or give the border", (t) => {
  const texels = (mode: number): readonly number[] => [-5, -1, 0, 3, 4, 9].map((i) => fold(i, 4, mode));
  t.deepEqual(texels(MODE.clamp), [0, 0, 0, 3, 3, 3]);
  t.deepEqual(texels(MODE.border), [BORDER, BORDER, 0, 3, BORDER, BORDER]);
  t.deepEqual(texels(MODE.wrap), [3, 3, 0, 3, 0, 1]);
  t.deepEqual(texels(MODE.mirror), [3, 0, 0, 3, 3, 1]);
});

test("a point fetch takes the floor of the exact value", (t) => {
  t.is(pointTexel(-1e-30, 8, MODE.wrap, 0), 7);
  t.is(pointTexel(f32FromBits(f32ToBits(8) - 1), 8, MODE.wrap, 0), 7);
  t.is(pointTexel(Infinity, 8, MODE.clamp, 0), 7);
  t.is(pointTexel(-Infinity, 8, MODE.border, 0), BORDER);
  t.is(pointTexel(Infinity, 8, MODE.mirror, 0), 0);
  t.is(pointTexel(2.5, 8, MODE.clamp, -3), 0);
});

test("normalised coordinates have 24 fractional bits and an unlimited range", (t) => {
  t.is(inTexels(NaN, 8, true), 0);
  t.is(inTexels(0.1, 3, false), 0.1);
  t.is(inTexels(Math.fround(0.1), 3, true), Math.fround(Math.fround(0.1) * 3));
  t.true(Number.isFinite(inTexels(3e38, 131072, true)));
  t.is(inTexels(-Infinity, 8, true), -Infinity);
});

test("a linear fetch rounds to 1/256 with ties up", (t) => {
  t.deepEqual(taps(0.5 + 1 / 512, 4, MODE.wrap), [0, 1, 1]);
  t.deepEqual(taps(0.5 - 1 / 512, 4, MODE.wrap), [0, 1, 0]);
  t.deepEqual(taps(-0.25, 4, MODE.wrap), [3, 0, 64]);
  t.deepEqual(taps(-0.25, 4, MODE.clamp), [0, 1, 0]);
  t.deepEqual(taps(0, 4, MODE.border), [BORDER, 0, 128]);
  t.deepEqual(taps(2 ** 31, 5, MODE.wrap), [(2 ** 31 - 1) % 5, 2 ** 31 % 5, 128]);
  t.deepEqual(taps(Infinity, 4, MODE.mirror), [0, 0, 128]);
});

test("bilinear weights add up to the weight that they split", (t) => {
  const into = new Int32Array(4);
  for (const total of [0, 1, 77, 128, 255, 256])
    for (let a = 0; a < 256; a += 5)
      for (let b = 0; b < 256; b += 3) {
        share(total, a, b, into, 0);
        t.is(
          into.reduce((sum, w) => sum + w, 0),
          total,
        );
        t.true(into.every((w) => w >= 0));
      }
  share(256, 128, 128, into, 0);
  t.deepEqual([...into], [64, 64, 64, 64]);
  spreadCorner(into, 0, 0);
  t.deepEqual([...into], [0, 85, 85, 86]);
});

const sum = (name: string, values: readonly number[], weights: readonly number[]): number =>
  sums[name]!(Float64Array.from(values), Int32Array.from(weights), values.length);

test("sums of floats: ties away from zero, subnormals, zeros, infinities and NaN", (t) => {
  const half = [128, 128, 0, 0];
  t.is(sum("f32", [1, f32FromBits(0x3f800001), 9, 9], half), 0x3f800001);
  t.is(sum("f32", [-1, f32FromBits(0x3f800001 | (1 << 31)), 9, 9], half), f32ToBits(-f32FromBits(0x3f800001)));
  t.is(sum("f32", [2 ** -130, 2 ** -126, 0, 0], half), 0);
  t.is(sum("f32", [-0, -(2 ** -140), 5, 5], half), f32ToBits(-0));
  t.is(sum("f32", [-0, 0, 5, 5], half), 0);
  t.is(sum("f32", [Infinity, 1, NaN, 0], half), f32ToBits(Infinity));
  t.is(sum("f32", [Infinity, -Infinity, 0, 0], half), 0x7fffffff);
  t.is(sum("f16", [NaN, 1, 0, 0], half), 0x7fffe000);
  // A texel 2^28 times smaller than the largest is lost.
  t.is(sum("f32", [2 ** 28, 0.75, 0, 0], half), f32ToBits(2 ** 27));
  // Slices are truncated one by one, and rounded once together.
  t.is(sum("f32", [2 ** 28, 0, 0, 0, 1, 0, 0, 0], [128, 0, 0, 0, 128, 0, 0, 0]), f32ToBits(2 ** 27));
  t.is(sum("f32", [2 ** 24, 0, 0, 0, 2, 0, 0, 0], [128, 0, 0, 0, 128, 0, 0, 0]), f32ToBits(2 ** 23 + 1));
});

test("sums of integers become fractions of 16 bits", (t) => {
  const quarter = [64, 64, 64, 64];
  t.is(sum("u8", [255, 255, 255, 255], quarter), f32ToBits(1));
  t.is(sum("u8", [1, 0, 0, 0], quarter), f32ToBits(Math.fround(64 / 65535)));
  t.is(sum("s8", [-128, -128, -128, -128], quarter), f32ToBits(-1));
  t.is(sum("s8", [127, 127, 127, 127], quarter), f32ToBits(1));
  t.is(sum("u16", [1, 2, 0, 0], [128, 128, 0, 0]), f32ToBits(Math.fround(2 / 65535)));
  t.is(sum("s16", [-1, -2, 0, 0], [128, 128, 0, 0]), f32ToBits(Math.fround(-1 / 32767)));
});

test("levels of detail are truncated to 1/256, biased and clamped", (t) => {
  const limits = { bias: inLevels(0.5), min: inLevels(0.25), max: inLevels(1000), last: 3 };
  t.is(levelOf(inLevels(-0.499), { ...limits, min: 0 }), 128 - 127);
  t.is(levelOf(inLevels(-5), { ...limits, min: -1000 }), 0);
  t.is(levelOf(inLevels(Infinity), limits), 768);
  t.is(levelOf(inLevels(NaN), limits), 128);
  t.is(gradientLevel(Float64Array.of(4, 0), Float64Array.of(0, 1), 2), 512);
  t.is(levelOf(gradientLevel(new Float64Array(2), new Float64Array(2), 2), limits), 64);
});

test("cube-map coordinates on a face are exact", (t) => {
  t.is(faceTexel(1, 3, 3), 2);
  t.is(faceTexel(-1, 3, 3), 1);
  t.is(faceTexel(1, 1, 4), 3);
  // 128 * 3 / (3 * 256) is a tie, but the quotient 1/768 is not.
  t.is(facePosition(1, 768, 3), 384 + 1 - 128);
  t.is(facePosition(0, 0, 8), -128);
});

test("formatted stores saturate, and truncate halves toward zero", (t) => {
  const view = new DataView(new ArrayBuffer(4));
  const stored = (format: keyof typeof formatStores, bits: number): number => {
    formatStores[format](view, 0, bits);
    return format.endsWith("8") ? view.getUint8(0) : view.getUint16(0, true);
  };
  t.deepEqual([stored("u8", -1), stored("u8", 300), stored("u8", 7)], [255, 255, 7]);
  t.deepEqual([stored("s8", -1), stored("s8", -300), stored("s8", 300)], [255, 0x80, 127]);
  t.deepEqual([stored("s16", 40000), stored("u16", 70000)], [32767, 65535]);
  t.deepEqual(
    [0x477fffff, 0x7f7fffff, 0xff800000, 0x7fc12345, 0x3f801fff].map((bits) => stored("f16", bits)),
    [0x7bff, 0x7bff, 0xfc00, 0x7e09, 0x3c00],
  );
});

test("512 recorded levels of an H200, computed from gradients, are met", (t) => {
  const folder = fileURLToPath(new URL("../../../../testdata/hardware/h200/memory/", import.meta.url));
  const record = readMemoryRecords(folder).find(({ id }) => id === "third/lod-linear")!;
  const { buffers } = record.spec as { readonly buffers: Readonly<Record<string, { readonly hex: string }>> };
  const floats = (hex: string): Float32Array => new Float32Array(new Uint8Array(Buffer.from(hex, "hex")).buffer);
  const gradients = floats(buffers["g"]!.hex);
  const levels = floats(record.outputs!["o"]!.hex);
  const limits = { bias: 0, min: 0, max: 1280, last: 5 };
  let equal = 0;
  levels.forEach((recorded, i) => {
    const inTexels32 = (at: number): Float64Array => Float64Array.from(gradients.subarray(at, at + 2), (g) => 32 * g);
    const level = levelOf(gradientLevel(inTexels32(4 * i), inTexels32(4 * i + 2), 2), limits);
    if (level === recorded) equal++;
  });
  t.is(levels.length, 512);
  t.is(equal, 512);
});

interface Gradients {
  readonly what: string;
  /** f32 in texels, x and y of each of the two gradients. */
  readonly gradients: string;
  /** u16, in 1/256. */
  readonly levels: string;
}

test("levels from gradients equal the recorded ones, but for one in a hundred of skewed pairs", (t) => {
  const folder = new URL("../../../../testdata/hardware/h200/memory/", import.meta.url);
  const groups = JSON.parse(readFileSync(new URL("gradients.json", folder), "utf8")) as readonly Gradients[];
  const bytesOf = (text: string): ArrayBuffer => Uint8Array.from(Buffer.from(text, "base64")).buffer;
  const limits = { bias: 0, min: 0, max: Infinity, last: 10 };
  for (const { what, gradients, levels } of groups) {
    const numbers = Float64Array.from(new Float32Array(bytesOf(gradients)));
    const recorded = new Uint16Array(bytesOf(levels));
    let beside = 0;
    recorded.forEach((level, i) => {
      const [x, y] = [numbers.subarray(4 * i, 4 * i + 2), numbers.subarray(4 * i + 2, 4 * i + 4)];
      const ours = levelOf(gradientLevel(x, y, 2), limits);
      if (ours !== level) beside++;
      t.true(Math.abs(ours - level) <= 2, `${what} ${i}: ${ours}, recorded ${level}`);
    });
    t.true(beside <= (/one length|any two/.test(what) ? recorded.length / 80 : 0), `${what}: ${beside}`);
  }
});
