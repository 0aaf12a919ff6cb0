// Runs the recordings' kernels on a device: NAME(pA, pB, pC, pE, pD, n), a warp (wgmma: a block of 128 threads) a tile.

import { readFileSync } from "node:fs";
import path from "node:path";
import type { Device } from "../../../lib/exec/device/interface.js";
import { deviceOfModule } from "../../exec/kernel.js";
import { as32, BITS, type Instruction, threadsOf, type Words, wordCounts } from "./formats.js";
import { hashOf } from "./mix.js";

export type Engine = "reference" | "fast";

/** A kernel of the recording's text alone: assembling all 148 of them for one is slow. */
export function kernelText(text: string, kernel: string): string {
  const start = text.indexOf(`.visible .entry ${kernel}(`);
  if (start < 0) throw new Error(`no kernel ${kernel}`);
  const next = text.indexOf(".visible .entry", start + 1);
  return text.slice(0, text.indexOf(".visible .entry")) + text.slice(start, next < 0 ? undefined : next);
}

export const readText = (folder: string, name: string): string => readFileSync(path.join(folder, name), "utf8");

/** Little-endian words of a file of records. */
export function readWords(folder: string, name: string): Uint32Array {
  const bytes = readFileSync(path.join(folder, name));
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

export type Tile = readonly [a: Words, b: Words, c: Words, metadata: Uint32Array];

/** A device with one kernel, for launches of many tiles. */
export interface TileRunner {
  /** D of each tile, as words. */
  run(tiles: readonly Tile[]): Promise<readonly Uint32Array[]>;
}

export function tileRunner(text: string, kernel: string, instruction: Instruction, engine: Engine): TileRunner {
  const device: Device = deviceOfModule(kernelText(text, kernel));
  const threads = threadsOf(instruction);
  const resultBytes = (wordCounts(instruction)[2] * (BITS[instruction.tc] === 64 ? 64 : 32)) / 8;
  return {
    async run(tiles) {
      const inputs = [0, 1, 2, 3].map((role) => device.alloc(joined(tiles.map((tile) => as32(tile[role]!)))));
      const output = device.alloc(tiles.length * resultBytes);
      const args = [...inputs, output, { type: "u32", value: tiles.length } as const];
      const launch = { grid: tiles.length, block: threads, args, engine };
      const { fault } = await device.launch(kernel, launch);
      if (fault !== undefined) throw new Error(`${kernel}: ${fault.kind}: ${fault.message}`);
      const words = device.read(output, Uint32Array);
      for (const buffer of [...inputs, output]) device.free(buffer);
      const each = resultBytes / 4;
      return tiles.map((_, i) => words.subarray(i * each, (i + 1) * each));
    },
  };
}

/** Parts one after the other. */
export function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Two thirds of the tiles are recorded: the place of tile t, or undefined. */
export const placeOf = (tile: number): number | undefined =>
  tile % 3 === 2 ? undefined : Math.floor(tile / 3) * 2 + (tile % 3);

/** Counts what agrees, and remembers the first that does not. */
export interface Tally {
  compared: number;
  equal: number;
  difference?: string;
}

export function compareHash(tally: Tally, what: string, words: Uint32Array, expected: number): void {
  tally.compared++;
  if (hashOf(words) === expected) tally.equal++;
  else tally.difference ??= what;
}
