// The second recording: sums that become zero, metadata of any bits, selectors, wmma with its fragments, wgmma's descriptors. Inputs
// are those of its gaps_inputs.py.

import path from "node:path";
import { readFileSync } from "node:fs";
import { deviceOfModule } from "../../exec/kernel.js";
import { encode } from "./encode.js";
import { as32, BITS, type Instruction, wordCounts, type Words, wordsFor } from "./formats.js";
import { mix64 } from "./mix.js";
import { place } from "./probe-inputs.js";
import { randomTile, randomWords } from "./random-inputs.js";
import {
  compareHash,
  type Engine,
  joined,
  kernelText,
  placeOf,
  readText,
  type Tally,
  type Tile,
  tileRunner,
} from "./runner.js";
import { layoutA, layoutB, layoutC } from "./tile-layouts.js";

export interface Gap {
  readonly name: string;
  readonly what: "zero" | "any metadata" | "selector" | "not ordered" | "wmma" | "wgmma";
  readonly kernel: string;
  readonly like?: string;
  readonly tiles: number;
  readonly hashes: readonly number[];
  /** wmma: of the registers of A, B and C. */
  readonly fragments?: readonly number[];
  readonly index: number;
  readonly ta: string;
  readonly tb: string;
  readonly tc: string;
  readonly M: number;
  readonly N: number;
  readonly K: number;
  readonly nA: number;
  readonly nB: number;
  readonly nC: number;
}

export function readGaps(folder: string): readonly Gap[] {
  const text = readFileSync(path.join(folder, "gaps.json"), "utf8");
  return (JSON.parse(text) as { readonly entries: readonly Gap[] }).entries;
}

const SPANS: Readonly<Record<string, number>> = { bf16: 70, tf32: 70, f16: 14, e5m2: 14, e4m3: 6 };

/** Products below the smallest subnormal in many patterns of signs, c = +0 or -0. */
function zeroTile(instruction: Instruction, variant: number): Tile {
  const { ta, tb, tc, M, K } = instruction;
  const rows = Math.min(M, 16);
  const span = SPANS[ta]!;
  const isSmall = span < 70;
  const signOf = (k: number): number => ((variant & 1) === 0 ? 1 : -1) * ((variant & 4) !== 0 && k >= K >> 1 ? -1 : 1);
  const a = (i: number, k: number): number => {
    // Multiplied by its sign all the same: zeros have one.
    if ((variant & 2) !== 0 && k > 0) return (variant & 4) !== 0 && k >= K >> 1 ? -0 : 0;
    return signOf(k) * 2 ** -(isSmall ? span - (i % 4) : span + (i % 8));
  };
  const b = (_: number, j: number): number => 2 ** -(isSmall ? span - (j % 4) : span + j);
  const bits = (type: string, height: number, width: number, of: (i: number, j: number) => number): readonly bigint[] =>
    Array.from({ length: height * width }, (_, at) => encode(type, of(Math.floor(at / width), at % width)));
  const [countA, countB, countC] = wordCounts(instruction);
  const [wordsA, wordsB, wordsC] = [wordsFor(ta, countA), wordsFor(tb, countB), wordsFor(tc, countC)];
  place(wordsA, ta, layoutA(instruction), bits(ta, rows, K, a), rows, K);
  place(wordsB, tb, layoutB(instruction), bits(tb, K, 8, b), K, 8);
  place(
    wordsC,
    tc,
    layoutC(instruction),
    bits(tc, rows, 8, () => ((variant & 8) === 0 ? 0 : -0)),
    rows,
    8,
  );
  return [wordsA, wordsB, wordsC, new Uint32Array(1)];
}

function anyMetadata(id: number, tile: number): Uint32Array {
  const mixed = { high: 0, low: 0 };
  return Uint32Array.from({ length: 32 }, (_, lane) => {
    mix64(id << 8, tile * 32 + lane, mixed);
    return mixed.low;
  });
}

function tileOf({ what }: Gap, instruction: Instruction, tile: number): Tile {
  if (what === "zero") return zeroTile(instruction, tile);
  const [a, b, c, metadata] = randomTile(instruction, tile);
  return [a, b, c, what === "any metadata" ? anyMetadata(instruction.id, tile) : metadata];
}

/** One entry of gaps.json. */
export async function runGap(
  gap: Gap,
  instructions: readonly Instruction[],
  folder: string,
  engines: readonly Engine[],
  most: number,
): Promise<Tally> {
  const tally: Tally = { compared: 0, equal: 0 };
  const [texts, numbers] = [
    ["tensor.ptx", "gaps.ptx"].map((name) => readText(folder, name)),
    Array.from({ length: gap.tiles }, (_, t) => t)
      .filter((t) => placeOf(t) !== undefined)
      .slice(0, most),
  ];
  const text = texts.find((each) => each.includes(`.entry ${gap.kernel}(`))!;
  for (const engine of engines) {
    const check = (tile: number, words: Uint32Array, expected: readonly number[], what = ""): void =>
      compareHash(tally, `${what}tile ${tile} on the ${engine} engine`, words, expected[placeOf(tile)!]!);
    if (gap.what === "wmma") {
      const results = await runWmma(gap, text, numbers, engine);
      results.forEach(({ d, fragments }, i) => {
        check(numbers[i]!, d, gap.hashes);
        check(numbers[i]!, fragments, gap.fragments!, "fragments of ");
      });
    } else if (gap.what === "wgmma") {
      const results = await runDescriptors(gap, text, numbers, engine);
      results.forEach((words, i) => check(numbers[i]!, words, gap.hashes));
    } else {
      const instruction = instructions.find(({ name }) => name === gap.like)!;
      const runner = tileRunner(text, gap.kernel, instruction, engine);
      const results = await runner.run(numbers.map((tile) => tileOf(gap, instruction, tile)));
      results.forEach((words, i) => check(numbers[i]!, words, gap.hashes));
    }
  }
  return tally;
}

interface WmmaResult {
  readonly d: Uint32Array;
  readonly fragments: Uint32Array;
}

/** Matrices as they lie in memory, a block of one warp a tile. */
async function runWmma(
  gap: Gap,
  text: string,
  tiles: readonly number[],
  engine: Engine,
): Promise<readonly WmmaResult[]> {
  const { M, N, K, ta, tb, tc, index, nA, nB, nC } = gap;
  const device = deviceOfModule(kernelText(text, gap.kernel));
  const words = (type: string, elements: number): number =>
    BITS[type] === 64 ? elements : (elements * BITS[type]!) / 32;
  const counts = [words(ta, M * K), words(tb, K * N), words(tc, M * N)];
  // Tiles that are not recorded are run too: a tile's number is its block's.
  const all = Array.from({ length: tiles.at(-1)! + 1 }, (_, tile) => tile);
  const inputs = [ta, tb, tc].map((type, role) => {
    const parts: readonly Words[] = all.map((tile) => randomWords(2000 + index, role, tile, type, ta, counts[role]!));
    return device.alloc(joined(parts.map(as32)));
  });
  const wordBytes = ta === "f64" ? 8 : 4;
  const fragmentBytes = (nA + nB + nC) * 32 * wordBytes;
  const resultBytes = counts[2]! * wordBytes;
  const [fragments, d] = [device.alloc(all.length * fragmentBytes), device.alloc(all.length * resultBytes)];
  const args = [...inputs, fragments, d, { type: "u32", value: all.length } as const];
  const { fault } = await device.launch(gap.kernel, { grid: all.length, block: 32, args, engine });
  if (fault !== undefined) throw new Error(`${gap.kernel}: ${fault.kind}: ${fault.message}`);
  const [allFragments, allResults] = [device.read(fragments, Uint32Array), device.read(d, Uint32Array)];
  const part = (from: Uint32Array, bytes: number, tile: number): Uint32Array =>
    from.subarray((tile * bytes) / 4, ((tile + 1) * bytes) / 4);
  return tiles.map((tile) => ({
    d: part(allResults, resultBytes, tile),
    fragments: part(allFragments, fragmentBytes, tile),
  }));
}

/** The 32 KiB of the wgmma cases: f16 whole numbers from -7 to 7 without 0. */
function sharedMemory(): readonly Uint32Array[] {
  const mixed = { high: 0, low: 0 };
  return [77, 78].map((seed) => {
    const words = new Uint32Array(4096);
    for (let i = 0; i < 8192; i++) {
      mix64(seed << 8, i, mixed);
      const bits = (BigInt(mixed.high >>> 0) << 32n) | BigInt(mixed.low >>> 0);
      const value = Number((bits >> 20n) % 7n) + 1;
      words[i >> 1]! |= Number(encode("f16", mixed.high < 0 ? -value : value)) << (16 * (i & 1));
    }
    return words;
  });
}

type Layout = readonly [mode: number, leading: number, stride: number, start: number];

function descriptorPairs(): readonly (readonly [a: Layout, b: Layout])[] {
  const pairs: (readonly [Layout, Layout])[] = [];
  const offsets = [
    [128, 256],
    [256, 128],
    [1024, 512],
    [512, 1024],
    [2048, 1024],
    [1024, 2048],
    [16, 1024],
    [16, 512],
    [16, 256],
  ] as const;
  for (const mode of [0, 1, 2, 3])
    for (const [leading, stride] of offsets)
      for (const start of mode > 0 && leading === 16 ? [0, 32] : [0]) {
        const layout: Layout = [mode, leading, stride, start];
        pairs.push([layout, layout]);
      }
  const [swizzled, plain]: readonly Layout[] = [
    [1, 16, 1024, 0],
    [0, 128, 256, 0],
  ];
  return [...pairs, [swizzled!, plain!], [plain!, swizzled!]];
}

const descriptorWord = ([mode, leading, stride, start]: Layout): bigint =>
  (BigInt(mode) << 62n) | (BigInt(stride >> 4) << 32n) | BigInt(((leading >> 4) << 16) | (start >> 4));

async function runDescriptors(
  gap: Gap,
  text: string,
  cases: readonly number[],
  engine: Engine,
): Promise<readonly Uint32Array[]> {
  const device = deviceOfModule(kernelText(text, gap.kernel));
  const memory = sharedMemory().map((words) => device.alloc(words));
  const d = device.alloc(gap.nC * 128 * 4);
  const pairs = descriptorPairs();
  const results: Uint32Array[] = [];
  for (const number of cases) {
    const words = pairs[number]!.map((layout) => ({ type: "u64", value: descriptorWord(layout) }) as const);
    const { fault } = await device.launch(gap.kernel, { grid: 1, block: 128, args: [...memory, d, ...words], engine });
    if (fault !== undefined) throw new Error(`${gap.kernel}: ${fault.kind}: ${fault.message}`);
    results.push(device.read(d, Uint32Array));
  }
  return results;
}
