// Records of the tensor cores: random tiles and probes of 148 instructions, a second recording of gaps and a third of wgmma's
// descriptors. README of testdata/hardware/h200/tensor gives the formats; the kernels are the recordings' own PTX.

import type { Outcome, Suite, SuiteOptions } from "./suite.js";
import { readDescriptors, runDescriptorGroup } from "./tensor/descriptors.js";
import { as32, type Instruction } from "./tensor/formats.js";
import { readGaps, runGap } from "./tensor/gaps.js";
import { hashOf } from "./tensor/mix.js";
import { checksums, probeInputs } from "./tensor/probe-inputs.js";
import { randomTile } from "./tensor/random-inputs.js";
import { readRaw, runRaw } from "./tensor/raw.js";
import { compareHash, joined, placeOf, readText, readWords, type Tally, tileRunner } from "./tensor/runner.js";

/** Tiles of one launch. */
const BATCH = 128;

/** All probes of an instruction, `most` of them. Of wgmma the first warp's words are hashed: the other rows are zero. */
async function probes(
  instruction: Instruction,
  { engines }: SuiteOptions,
  text: string,
  hashes: Uint32Array,
  most: number,
) {
  const { name, probeCrc, nC } = instruction;
  const tally: Tally = { compared: 0, equal: 0 };
  const tiles = probeInputs(instruction);
  if (checksums(tiles).join() !== probeCrc?.join())
    return { ...tally, compared: 1, difference: "the generator makes other probes" };
  const numbers = tiles.map((_, p) => p).filter((p) => placeOf(p) !== undefined);
  const tried = numbers.slice(0, most);
  for (const engine of engines) {
    const results = await tileRunner(text, name, instruction, engine).run(tried.map((p) => tiles[p]!));
    tried.forEach((p, i) => {
      const words = results[i]!;
      const rows = Array.from({ length: nC }, (_, r) => words.subarray(128 * r, 128 * r + 32));
      const hashed = instruction.kind === "wgmma" ? joined(rows) : words;
      const expected = hashes[instruction.probes!.offset / 4 + placeOf(p)!]!;
      compareHash(tally, `probe ${p} on the ${engine} engine`, hashed, expected);
    });
  }
  return tally;
}

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
  /** Tiles, probes or cases of each group. */
  readonly most: number;
}

export function tensorSuite({ most }: TensorOptions): Suite {
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
        if (isWanted(name)) yield { name, ...(await randomTiles(instruction, options, text, hashes, most)) };
      }
      const probeHashes = readWords(folder, "probes.bin");
      for (const instruction of instructions) {
        const name = `probes/${instruction.name}`;
        if (instruction.probes === undefined || !isWanted(name)) continue;
        yield { name, ...(await probes(instruction, options, text, probeHashes, most)) };
      }
      for (const gap of readGaps(folder)) {
        const name = `gaps/${gap.name}`;
        if (isWanted(name)) yield { name, ...(await runGap(gap, instructions, folder, options.engines, most)) };
      }
      const raw = readRaw(folder);
      for (const entry of raw.entries) {
        const name = `raw/${entry.text.split(" ")[0]!}`;
        if (isWanted(name)) yield { name, ...(await runRaw(raw, entry, options.engines)) };
      }
      const descriptors = readDescriptors(folder);
      const descriptorText = readText(folder, "descriptors.ptx");
      for (const [i, group] of descriptors.groups.entries()) {
        const name = `descriptors/${group.kernel}/${group.role}/${i}`;
        if (!isWanted(name)) continue;
        yield { name, ...(await runDescriptorGroup(group, descriptors, descriptorText, options.engines, most)) };
      }
    },
  };
}

export const everyTensorRecord: Suite = tensorSuite({ most: Infinity });
