// The timing records of an H200: testdata/hardware/h200/timing, whose README gives the format.

import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { inputFile } from "./inputs.js";

/** Cycles of one launch, medians of several. */
export interface Measured {
  readonly cycles: number;
  readonly least: number;
  readonly most: number;
}

export interface MeasuredLaunch {
  readonly kernel: string;
  readonly registers: number;
  /** With L2 flushed before it, and launched again and again. */
  readonly cold: Measured;
  readonly warm: Measured;
  readonly ncu?: { readonly warpInstructions: number };
}

export interface KernelCase {
  readonly id: string;
  readonly ptx: string;
  /** File of the launch specification. */
  readonly launch: string;
  readonly measured: readonly MeasuredLaunch[];
}

export interface Measure {
  readonly name: string;
  /** The two launches that are compared, and turns of their loops. */
  readonly launches: readonly [number, number];
  readonly n: readonly [number, number];
  /** Operations a turn. */
  readonly ops: number;
  readonly unit: string;
  readonly measured: number;
  /** The second launch alone. */
  readonly single?: boolean;
}

export interface MicroCase {
  readonly id: string;
  readonly group: string;
  readonly ptx: string;
  readonly spec: object;
  /** Launches for the model, where the hardware was warm from the launch before. */
  readonly modelSpec?: object;
  readonly measures: readonly Measure[];
  readonly hardwareOnly?: boolean;
}

/** What is run: a source and a launch specification, both as text, and how the files that it names are read. */
export interface Runnable {
  readonly name: string;
  readonly source: string;
  readonly specification: string;
  readonly readFile: (name: string) => Uint8Array;
}

export const recordsFolder = fileURLToPath(new URL("../../../testdata/hardware/h200/timing", import.meta.url));

const readText = (...parts: readonly string[]): string => readFileSync(path.join(...parts), "utf8");

export const readKernelCases = (folder: string): readonly KernelCase[] =>
  (JSON.parse(readText(folder, "kernels.json")) as { readonly cases: readonly KernelCase[] }).cases;

/** Those that the model can be asked about. */
export const readMicroCases = (folder: string): readonly MicroCase[] =>
  (JSON.parse(readText(folder, "micro.json")) as { readonly cases: readonly MicroCase[] }).cases.filter(
    ({ hardwareOnly, measures }) => hardwareOnly !== true && measures.length > 0,
  );

/** Expands `@@repeat N@@ text` in a source: N copies of the text. */
const unfolded = (source: string): string =>
  source.replace(/^@@repeat (\d+)@@ (.*)$/gm, (_, count: string, text: string) => `${text}\n`.repeat(Number(count)));

const made = new Map<string, Uint8Array>();

/** Made once: making them takes longer than many a kernel. */
function keptInput(name: string): Uint8Array {
  const known = made.get(name) ?? inputFile(name);
  made.set(name, known);
  return known;
}

export function kernelRunnable(folder: string, { ptx, launch }: KernelCase): Runnable {
  return {
    name: ptx,
    source: readText(folder, ptx),
    specification: readText(folder, launch),
    readFile: (name) => keptInput(path.basename(name)),
  };
}

/** A microbenchmark. Output `i` holds the clock values that launch `i` read, and `warps[i]` is its number of warps. */
export interface ClockedRunnable extends Runnable {
  readonly warps: readonly number[];
  /** Launches find in the L2 what the one before left there. */
  readonly warm: boolean;
  /** Each launch is run twice; the second run counts. */
  readonly repeated: boolean;
}

interface MicroSpec {
  readonly buffers: Readonly<Record<string, object>>;
  readonly launches: readonly {
    readonly grid: readonly number[];
    readonly block: readonly number[];
    readonly args: readonly [{ readonly buffer: string }, ...object[]];
  }[];
}

/** Groups whose kernels go to the L2 for what the repetitions before left there: the record is the least of seven. */
const repeatedGroups = /^(global_atomic|l2|local|fence|async)$/;

/** Gives each launch a buffer of clocks of its own: its first argument, which the record lets all share. */
export function microRunnable(folder: string, { ptx, spec, modelSpec, group }: MicroCase): ClockedRunnable {
  const { buffers, launches: once } = (modelSpec ?? spec) as MicroSpec;
  const repeated = repeatedGroups.test(group);
  const launches = repeated ? [...once, ...once] : once;
  const names = launches.map((_, i) => `clocks${i}`);
  const product = (sizes: readonly number[]): number => sizes.reduce((size, one) => size * one, 1);
  return {
    name: ptx,
    source: unfolded(readText(folder, ptx)),
    specification: JSON.stringify({
      buffers: {
        ...buffers,
        ...Object.fromEntries(launches.map(({ args: [clocks] }, i) => [names[i]!, buffers[clocks.buffer]!])),
      },
      launches: launches.map((launch, i) => ({ ...launch, args: [{ buffer: names[i]! }, ...launch.args.slice(1)] })),
      outputs: names,
    }),
    readFile: (name) => keptInput(path.basename(name)),
    warps: launches.map(({ grid, block }) => product(grid) * Math.ceil(product(block) / 32)),
    // Bandwidths of the L2 are those of what it holds: 8 or 16 MiB that the launch before has read or written.
    warm: group === "bw_l2" || repeated,
    repeated,
  };
}

/** What a measure comes to when its case's launches take `cycles`. */
export function measureOf({ launches: [i, j], n: [a, b], ops, single }: Measure, cycles: readonly number[]): number {
  return single === true ? cycles[j]! / b / ops : (cycles[j]! - cycles[i]!) / (b - a) / ops;
}

/** How far a prediction may be off, as a share: latencies and throughputs 5 %, memory 10 %. */
export function toleranceOf({ group }: MicroCase): number {
  return /chase|bw_|l2|l1|constant|local|global_atomic|async|cluster|fence|mbarrier/.test(group) ? 0.1 : 0.05;
}
