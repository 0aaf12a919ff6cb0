// Runs one kernel in every way, and describes the first difference.

import { isDeepStrictEqual } from "node:util";
import { registerCounts } from "./builder.js";
import { type CHost, linkPtx, type Outcome, runImage, type Way } from "./host.js";
import { COUNTER_BYTES, dataOf, outputBytes, THREAD_BYTES, threadsOf, volume } from "./shape.js";
import { SLICE_BYTES } from "./memory.js";
import { cOf, type KernelTree, ptxOf } from "./tree.js";

export interface Compared {
  /**
   * Undefined if all agree: both engines in every bit, count and printed character, on any number of threads; and C.
   */
  readonly problem?: string;
  /** Runs on several threads in which another than the first took part. */
  readonly helped: number;
  readonly warpInstructions: number;
}

/**
 * The number of executions before code is generated differs from kernel to kernel, so that both engines and the switch
 * are tested.
 */
const heats = [0, 0, 0, 1, 4, 24];

const named = ({ engine, threads = 1 }: Way): string => (threads === 1 ? engine : `${engine} on ${threads} threads`);

/**
 * Runs on several threads, for grids of several blocks: one number of threads for each kernel, because threads take
 * longer to start than kernels to run; sometimes on the interpreter.
 */
function shared({ seed, grid }: KernelTree, hotAfter: number): readonly Way[] {
  if (volume(grid) === 1) return [];
  const threads = 2 + (seed % 2);
  return [
    { engine: "fast", threads, hotAfter },
    ...(seed % 5 === 0 ? [{ engine: "reference", threads } as const] : []),
  ];
}

/** `onThreads`: also on two or three threads. */
export async function compareOnce(kernel: KernelTree, host: CHost | undefined, onThreads = false): Promise<Compared> {
  const data = dataOf(kernel);
  const image = linkPtx(ptxOf(kernel));
  const none = { helped: 0, warpInstructions: 0 };
  if (typeof image === "string") return { ...none, problem: `link: ${image}` };
  const reference = await runImage(image, kernel, data, { engine: "reference" });
  if (reference.failure !== undefined) return { ...none, problem: `reference engine: ${reference.failure}` };
  const hotAfter = heats[kernel.seed % heats.length]!;
  const ways: readonly Way[] = [{ engine: "fast", hotAfter }, ...(onThreads ? shared(kernel, hotAfter) : [])];
  let helped = 0;
  const warpInstructions = reference.results.reduce((sum, result) => sum + result.warpInstructions, 0);
  for (const way of ways) {
    const outcome = await runImage(image, kernel, data, way);
    if (outcome.helped > 0) helped++;
    const problem =
      outcome.failure ??
      differenceOf(kernel, outcome, reference, "the reference engine") ??
      resultsOf(outcome, reference);
    if (problem !== undefined) return { problem: `${named(way)}: ${problem}`, helped, warpInstructions };
  }
  const wanted = host?.run(cOf(kernel), data);
  const problem =
    wanted === undefined
      ? undefined
      : (wanted.failure ?? differenceOf(kernel, reference, wanted, "C, and both engines agree"));
  return { helped, warpInstructions, ...(problem === undefined ? {} : { problem }) };
}

function resultsOf({ results: ours }: Outcome, { results: wanted }: Outcome): string | undefined {
  for (const [i, has] of ours.entries()) {
    const should = wanted[i]!;
    if (isDeepStrictEqual(has, should)) continue;
    const at = [...has.printf].findIndex((char, c) => char !== should.printf[c]);
    const printed = `'${has.printf.slice(at, at + 40)}' at ${at} is printed, and '${should.printf.slice(at, at + 40)}'`;
    const counts = ({ warpInstructions, threadInstructions }: typeof has): string =>
      `${warpInstructions} warp and ${threadInstructions} thread instructions`;
    const what = counts(has) === counts(should) ? printed : `${counts(has)}, and ${counts(should)}`;
    return `launch ${i}: ${what} by the reference engine`;
  }
  return undefined;
}

function differenceOf(kernel: KernelTree, ours: Outcome, wanted: Outcome, of: string): string | undefined {
  if (Buffer.compare(ours.bytes, wanted.bytes) === 0) return undefined;
  const at = ours.bytes.findIndex((byte, i) => byte !== wanted.bytes[i]);
  const word = 8 * Math.floor(at / 8);
  const [has, should] = [ours, wanted].map(({ bytes }) =>
    Buffer.from(bytes.slice(word, word + 8))
      .reverse()
      .toString("hex"),
  );
  return `${placeOf(kernel, at)} is 0x${has}, and 0x${should} of ${of}`;
}

function placeOf(kernel: KernelTree, offset: number): string {
  const registers = Object.entries(registerCounts).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, i) => `${letter}${i}`),
  );
  const size = outputBytes(kernel);
  const counters = size - volume(kernel.grid) * COUNTER_BYTES;
  if (offset >= kernel.launches * size)
    return offset < kernel.launches * size + SLICE_BYTES * threadsOf(kernel) ? "a slice" : "a counter of the grid";
  const [launch, at] = [Math.floor(offset / size), offset % size];
  if (at >= counters) return `launch ${launch}, a counter of a block`;
  const [thread, register] = [Math.floor(at / THREAD_BYTES), registers[Math.floor((at % THREAD_BYTES) / 8)]];
  return `launch ${launch}, thread ${thread}, ${register}`;
}
