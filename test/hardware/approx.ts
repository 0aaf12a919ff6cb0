// Compares approximate instructions with an H200's results: 15 functions of f32 and two of f64 on all 2^32 arguments,
// recorded as 65,536 hashes each; 16-bit functions on all arguments; quotients and rsqrt.approx.f64 on samples. Each is
// a kernel.
//
// The fast engine computes all hashes on all cores, in about a quarter of an hour of CPU time. The reference engine
// computes one hash in 513 in about half a minute; with --whole all of them, in some hours. --every N takes about one
// in N hashes, or groups of pairs.

import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { createSink } from "../../lib/diag/sink.js";
import type { DeviceArgument } from "../../lib/exec/device/arguments.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { EngineName } from "../../lib/exec/state/launch.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { allHashes, eachElement, hashKernel, type Kernel } from "./approx-kernels.js";
import { pairOf, rootArgument, PAIRS, ROOTS } from "./approx-arguments.js";
import type { Outcome, Suite, SuiteOptions } from "./suite.js";

const CHUNKS = 65536;
/** The reference engine computes one hash in that many, and at least eight. */
const REFERENCE_EVERY = 512;
const MIN_CHUNKS = 8;
/** Quotients of one hash, and those of each quarter whose results are recorded individually. */
const GROUP = 1024;
const GROUPS = PAIRS / GROUP;
const NAN = 0x7fffffff;

const records = new Map<string, ArrayBuffer>();

/** A file of records, decompressed once. */
function recordsOf(folder: string, name: string): ArrayBuffer {
  const file = path.join(folder, `${name}.bin.gz`);
  const known = records.get(file);
  if (known !== undefined) return known;
  const { buffer, byteOffset, byteLength } = gunzipSync(readFileSync(file));
  const made = (buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength);
  records.set(file, made);
  return made;
}

const hex = (bits: number | bigint): string => `0x${BigInt.asUintN(64, BigInt(bits)).toString(16)}`;

interface Opened {
  /** Launches a kernel for `count` threads, and returns the words that it leaves. */
  run(inputs: readonly (Uint32Array | BigUint64Array | number)[], count: number, words: number): Promise<Uint32Array>;
  close(): Promise<void>;
}

const BLOCK = 128;
const u32 = (value: number): DeviceArgument => ({ type: "u32", value });

function open({ name, text }: Kernel, engine: EngineName, threads: number): Opened {
  const sink = createSink();
  const input = assembleInput({ name: `${name}.ptx`, bytes: Buffer.from(text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  const device = openDevice(image, { threads });
  return {
    async run(inputs, count, words) {
      const out = device.alloc(4 * words);
      const buffers = inputs.map((each) => (typeof each === "number" ? u32(each) : device.alloc(each)));
      const grid = Math.ceil(count / BLOCK);
      const { fault } = await device.launch("kernel", {
        grid,
        block: BLOCK,
        args: [...buffers, u32(count), out],
        engine,
      });
      if (fault !== undefined) throw new Error(fault.message);
      return device.read(out, new Uint32Array(words));
    },
    close: async () => void (await device.close()),
  };
}

/** Compares results one by one. `wanted` is undefined where nothing is recorded. */
function compare(
  name: string,
  count: number,
  found: (i: number) => number | bigint,
  wanted: (i: number) => number | bigint | undefined,
  argument: (i: number) => string,
): Outcome {
  let [compared, equal, difference] = [0, 0, ""];
  for (let i = 0; i < count; i++) {
    const expected = wanted(i);
    if (expected === undefined) continue;
    compared++;
    const result = found(i);
    if (result === expected) equal++;
    else if (difference === "") difference = `${argument(i)}: ${hex(result)}, not ${hex(expected)}`;
  }
  return { name, compared, equal, ...(difference === "" ? {} : { difference }) };
}

type Trial = (options: SuiteOptions, engine: EngineName) => Promise<Outcome>;
type Trials = readonly (readonly [name: string, trial: Trial])[];

// ----------------------------------------------------------------------------------------------------------- whole domains

/** In chunks of 65,536 arguments, an odd step visits all parts of the domain. */
function stepOf({ every, whole }: SuiteOptions, engine: EngineName): number {
  const step = engine === "reference" && whole !== true ? every * REFERENCE_EVERY : every;
  return step === 1 ? 1 : Math.min(step | 1, CHUNKS / MIN_CHUNKS - 1);
}

const hashTrial =
  (instruction: string, index: number): Trial =>
  async (options, engine) => {
    const tables = new Uint32Array(recordsOf(options.folder, "hashes"));
    // Tables of .ftz are differences from the preceding table.
    const isDifference = instruction.includes(".ftz.f32");
    const recorded = (chunk: number): number => {
      const at = index * CHUNKS + chunk;
      return (tables[at]! ^ (isDifference ? tables[at - CHUNKS]! : 0)) >>> 0;
    };
    const step = stepOf(options, engine);
    const count = Math.ceil(CHUNKS / step);
    const device = open(hashKernel(instruction), engine, count > BLOCK ? os.availableParallelism() : 1);
    const found = await device.run([step], count, count);
    await device.close();
    const range = (i: number): string => `hash of ${hex(i * step * CHUNKS)} and the 65535 behind`;
    const name = `${instruction} (${engine})`;
    const { equal, ...outcome } = compare(
      name,
      count,
      (i) => found[i]!,
      (i) => recorded(i * step),
      range,
    );
    return { ...outcome, compared: count * CHUNKS, equal: equal * CHUNKS };
  };

// --------------------------------------------------------------------------------------------------------------- 16 bits

const small = ["ex2.approx.f16", "ex2.approx.ftz.bf16", "tanh.approx.f16", "tanh.approx.bf16"] as const;

const smallTrial =
  (instruction: string, index: number, isPair: boolean): Trial =>
  async ({ folder }, engine) => {
    const tables = new Uint16Array(recordsOf(folder, "16bit"));
    const recorded = (x: number): number => tables[65536 * index + x]!;
    const spelled = isPair ? `${instruction}x2` : instruction;
    // The upper half of a pair has the arguments in reverse order.
    const inputs = Uint32Array.from({ length: 65536 }, (_, x) => (isPair ? ((65535 - x) << 16) | x : x));
    const device = open(eachElement(spelled, isPair ? ["b32", "b32"] : ["b16", "b16"]), engine, 1);
    const found = await device.run([inputs], 65536, 65536);
    await device.close();
    return compare(
      `${spelled} (${engine})`,
      65536,
      (x) => found[x]!,
      (x) => ((isPair ? recorded(65535 - x) << 16 : 0) | recorded(x)) >>> 0,
      (x) => hex(inputs[x]!),
    );
  };

// -------------------------------------------------------------------------------------------------------------- quotients

const quotients = ["div.approx.f32", "div.approx.ftz.f32", "div.full.f32", "div.full.ftz.f32"] as const;
/** The number of results of each quarter that are recorded individually. */
const SINGLE = 16384;

const quotientTrial =
  (instruction: string, index: number): Trial =>
  async ({ folder, every }, engine) => {
    const words = new Uint32Array(recordsOf(folder, "div"));
    const groups = Array.from({ length: Math.ceil(GROUPS / every) }, (_, i) => i * every);
    const pairs = groups.flatMap((group) => Array.from({ length: GROUP }, (_, i) => GROUP * group + i));
    const [a, b] = [new Uint32Array(pairs.length), new Uint32Array(pairs.length)];
    pairs.forEach((pair, i) => ([a[i], b[i]] = pairOf(pair) as [number, number]));
    const device = open(eachElement(instruction, ["f32", "f32", "f32"]), engine, 1);
    const found = await device.run([a, b], pairs.length, pairs.length);
    await device.close();
    const [dividends, divisors] = [new Float32Array(a.buffer), new Float32Array(b.buffer)];
    const nearest = new Float32Array(1);
    const nearestBits = new Uint32Array(nearest.buffer);
    const nearestOf = (i: number): number => {
      nearest[0] = dividends[i]! / divisors[i]!;
      return nearest[0] !== nearest[0] ? NAN : nearestBits[0]!;
    };
    const single = (i: number): number | undefined => {
      const [quarter, rest] = [Math.floor((4 * pairs[i]!) / PAIRS), pairs[i]! % (PAIRS / 4)];
      if (rest >= SINGLE) return undefined;
      const delta = (table: number): number => words[4 * GROUPS + 4 * SINGLE * table + SINGLE * quarter + rest]!;
      const before = instruction.includes(".ftz") ? delta(index - 1) : 0;
      return (nearestOf(i) + before + delta(index)) >>> 0;
    };
    const name = `${instruction} (${engine})`;
    const argument = (i: number): string => `${hex(a[i]!)} / ${hex(b[i]!)}`;
    const singles = compare(name, pairs.length, (i) => found[i]!, single, argument);
    const hashes = allHashes(found, GROUP);
    const hashed = compare(
      name,
      groups.length,
      (i) => hashes[i]!,
      (i) => words[GROUPS * index + groups[i]!]!,
      (i) => `hash of pairs from ${GROUP * groups[i]!} on`,
    );
    const difference = singles.difference ?? hashed.difference;
    const [compared, equal] = [singles.compared + hashed.compared, singles.equal + hashed.equal];
    return { name, compared, equal, ...(difference === undefined ? {} : { difference }) };
  };

const ROOT = "rsqrt.approx.f64";

const rootTrial: Trial = async ({ folder }, engine) => {
  const recorded = new BigUint64Array(recordsOf(folder, "f64"));
  const x = BigUint64Array.from({ length: ROOTS }, (_, i) => rootArgument(i));
  const device = open(eachElement(ROOT, ["f64", "f64"]), engine, 1);
  const found = new BigUint64Array((await device.run([x], ROOTS, 2 * ROOTS)).buffer);
  await device.close();
  const values = new Float64Array(x.buffer);
  const root = new Float64Array(1);
  const bits = new BigUint64Array(root.buffer);
  const nearest = (i: number): bigint => {
    root[0] = 1 / Math.sqrt(values[i]!);
    return root[0] !== root[0] ? 0x7ff8000000000000n : bits[0]!;
  };
  return compare(
    `${ROOT} (${engine})`,
    ROOTS,
    (i) => found[i]!,
    (i) => BigInt.asUintN(64, nearest(i) + recorded[i]!),
    (i) => hex(x[i]!),
  );
};

// ------------------------------------------------------------------------------------------------------------------ suite

/** In the order of the tables in the file. */
const hashedInstructions = [
  ...["rcp", "rsqrt", "sqrt", "ex2", "lg2", "sin", "cos"].flatMap((name) => [
    `${name}.approx.f32`,
    `${name}.approx.ftz.f32`,
  ]),
  "tanh.approx.f32",
  "rcp.approx.ftz.f64",
  "rsqrt.approx.ftz.f64",
];

const trials: Trials = [
  ...hashedInstructions.map((name, i) => [name, hashTrial(name, i)] as const),
  ...small.flatMap((name, i) => [
    [name, smallTrial(name, i, false)] as const,
    [`${name}x2`, smallTrial(name, i, true)] as const,
  ]),
  ...quotients.map((name, i) => [name, quotientTrial(name, i)] as const),
  [ROOT, rootTrial],
];

export const approxSuite: Suite = {
  name: "approx",
  title: "approximate instructions",
  async *run(options) {
    for (const [name, trial] of trials)
      for (const engine of options.engines)
        if (`${name} (${engine})`.includes(options.filter)) yield await trial(options, engine);
  },
};
