// Generated code of the tensor unit, compared with the reference: random tiles of several kinds give the same bits
// where the unit supports them, and are left unchanged where it refuses.

import test from "ava";
import { createTensorUnit } from "../../../lib/exec/fast/tensor/unit.js";
import { tensorCores } from "../../../lib/exec/tensor/cores.table.js";
import { bySteps } from "../../../lib/exec/tensor/multiply.js";
import { createArena } from "../../../lib/load/arena.js";

/** Random 32-bit words of a linear congruential generator. */
function* words(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    yield state ^ (state >>> 15);
  }
}

interface Kind {
  readonly name: string;
  readonly type: "f16" | "bf16";
  /** Bits of a factor and of an element of C, from 32 random bits. */
  readonly factor: (random: number) => number;
  readonly sum: (random: number) => number;
  /** Whether the unit accepts such tiles: all, none, or some. */
  readonly takes: "all" | "none" | "some";
}

const nearOne = (random: number): number => (random & 0x8fff) | 0x3000;
const ordinary = (random: number): number => (random & 0x81ffffff) | 0x3e000000;
const anyFinite = (random: number): number => random & 0xfbff;

const kinds: readonly Kind[] = [
  { name: "halves near 1", type: "f16", factor: nearOne, sum: ordinary, takes: "all" },
  { name: "any finite halves", type: "f16", factor: anyFinite, sum: ordinary, takes: "all" },
  { name: "subnormal halves", type: "f16", factor: (r) => r & 0x83ff, sum: () => 0, takes: "all" },
  {
    name: "powers of two that cancel",
    type: "f16",
    factor: (r) => r & 0xfc00 & 0xbfff,
    sum: (r) => r & 0xbf800000,
    takes: "some",
  },
  { name: "zeros", type: "f16", factor: (r) => r & 0x8000, sum: (r) => r & 0x80000000, takes: "all" },
  { name: "any halves", type: "f16", factor: (r) => r & 0xffff, sum: ordinary, takes: "none" },
  { name: "large sums", type: "f16", factor: anyFinite, sum: (r) => (r & 0x80ffffff) | 0x7e000000, takes: "some" },
  { name: "any sums", type: "f16", factor: nearOne, sum: (r) => r, takes: "none" },
  { name: "bf16 near 1", type: "bf16", factor: (r) => (r & 0x83ff) | 0x3e00, sum: ordinary, takes: "all" },
  {
    name: "bf16 near 2^-40",
    type: "bf16",
    factor: (r) => (r & 0x81ff) | 0x2c00,
    sum: (r) => (r & 0x80ffffff) | 0x17000000,
    takes: "all",
  },
  { name: "any bf16", type: "bf16", factor: (r) => r & 0xffff, sum: ordinary, takes: "none" },
];

const unit = createTensorUnit(createArena()!)!;
const TILES = 40;

for (const { name, type, factor, sum, takes } of kinds)
  for (const blocks of [1, 2] as const)
    test(`${name}, ${8 * blocks} along k`, (t) => {
      const k = 8 * blocks;
      const arena = createArena()!;
      const own = createTensorUnit(arena)!;
      const storage = arena.take(4096)!;
      const registers = new Int32Array(storage.bytes.buffer, storage.bytes.byteOffset, 1024);
      const at = (register: number): number => storage.offset + 128 * register;
      const multiply = bySteps(tensorCores.sm_90.half, { m: 16, n: 8, k }, { a: type, b: type, c: "f32", d: "f32" }, k);
      const random = words(7 * k + name.length);
      let taken = 0;
      for (let tile = 0; tile < TILES; tile++) {
        const [a, b] = [16, 8].map((rows) => Int32Array.from({ length: rows * k }, () => factor(random.next().value)));
        const c = Int32Array.from({ length: 128 }, () => sum(random.next().value));
        const d = new Int32Array(128);
        multiply(a!, b!, c, d);
        // Registers 0 to 3 of A, 4 and 5 of B, 6 to 9 of C; D takes C's.
        registers.fill(0);
        a!.forEach((bits, i) => {
          const [row, column] = [Math.floor(i / k), i % k];
          const lane = 4 * (row & 7) + ((column >> 1) & 3);
          registers[32 * ((row >> 3) + 2 * (column >> 3)) + lane]! |= bits << (16 * (column & 1));
        });
        b!.forEach((bits, i) => {
          const [n, row] = [Math.floor(i / k), i % k];
          registers[32 * (4 + (row >> 3)) + 4 * n + ((row >> 1) & 3)]! |= bits << (16 * (row & 1));
        });
        const sumAt = (i: number): number => {
          const [row, n] = [Math.floor(i / 8), i % 8];
          return 32 * (6 + 2 * (row >> 3) + (n & 1)) + 4 * (row & 7) + (n >> 1);
        };
        c.forEach((bits, i) => (registers[sumAt(i)] = bits));
        const isTaken =
          own.prepareOf(type)!([0, 1, 2, 3].map(at), blocks) &&
          own.tileOf(type)!({
            b: [4, 5].map(at),
            key: tile % 3,
            c: [6, 7, 8, 9].map(at),
            d: [6, 7, 8, 9].map(at),
            blocks,
          });
        if (isTaken) taken++;
        t.deepEqual(
          Array.from({ length: 128 }, (_, i) => registers[sumAt(i)]),
          [...(isTaken ? d : c)],
        );
      }
      if (takes === "all") t.is(taken, TILES);
      else if (takes === "none") t.is(taken, 0);
    });

test("the tensor unit takes half-precision types only", (t) => {
  t.is(unit.tileOf("tf32"), undefined);
  t.is(unit.prepareOf("e4m3"), undefined);
});
