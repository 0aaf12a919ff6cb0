// Records of the tensor cores: random tiles and probes of 148 instructions, a second recording of gaps and a third of wgmma's
// descriptors. README of testdata/hardware/h200/tensor gives the formats; the kernels are the recordings' own PTX.

import type { Outcome, Suite, SuiteOptions } from "./suite.js";
import { as32, type Instruction } from "./tensor/formats.js";
import { hashOf } from "./tensor/mix.js";
import { randomTile } from "./tensor/random-inputs.js";
import { compareHash, placeOf, readText, readWords, type Tally, tileRunner } from "./tensor/runner.js";

/** Tiles of one launch. */
const BATCH = 128;

/** Random tiles of an instruction, `most` of them. */
async function randomTiles(
  instruction: Instruction,
  options: SuiteOptions,
  text: string,
  hashes: Uint32Array,
  most: number,
) {
  const { name, tiles, inputHash } = instruction;
  const tally: Tally = { compared: 0, equal: 0 };
  const inputs = randomTile(instruction, 0).map((words) => hashOf(as32(words)));
  if (inputs.join() !== inputHash.join())
    return { ...tally, compared: 1, difference: "the generator makes other inputs" };
  const runners = options.engines.map((engine) => ({ engine, runner: tileRunner(text, name, instruction, engine) }));
  const numbers = Array.from({ length: Math.min(tiles, most) }, (_, t) => t).filter((t) => placeOf(t) !== undefined);
  for (let from = 0; from < numbers.length; from += BATCH) {
    const batch = numbers.slice(from, from + BATCH);
    const made = batch.map((tile) => randomTile(instruction, tile));
    for (const { engine, runner } of runners) {
      const results = await runner.run(made);
      batch.forEach((tile, i) => {
        const expected = hashes[instruction.hashes.offset / 4 + placeOf(tile)!]!;
        compareHash(tally, `tile ${tile} on the ${engine} engine`, results[i]!, expected);
      });
    }
  }
  return tally;
}

export interface TensorOptions {
  /** Random tiles of each instruction. */
  readonly tiles: number;
}

export function tensorSuite({ tiles }: TensorOptions): Suite {
  return {
    name: "tensor",
    title: "tensor cores",
    async *run(options): AsyncGenerator<Outcome> {
      const { folder } = options;
      const { instructions } = JSON.parse(readText(folder, "instructions.json")) as {
        readonly instructions: readonly Instruction[];
      };
      const text = readText(folder, "tensor.ptx");
      const hashes = readWords(folder, "hashes.bin");
      let number = 0;
      const isWanted = (name: string): boolean => name.includes(options.filter) && number++ % options.every === 0;
      for (const instruction of instructions) {
        const name = `random/${instruction.name}`;
        if (isWanted(name)) yield { name, ...(await randomTiles(instruction, options, text, hashes, tiles)) };
      }
    },
  };
}

export const everyTensorRecord: Suite = tensorSuite({ tiles: Infinity });
