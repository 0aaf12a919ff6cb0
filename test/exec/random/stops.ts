// Launches that stop before their end: at instruction limits, faults and interruptions both engines stop at the same
// instruction, with the same report, counts, output and memory. On several threads, the part that docs/execution.md
// guarantees is the same.

import { isDeepStrictEqual } from "node:util";
import { randomFrom } from "../../oracle/random.js";
import { linkPtx, type Outcome, openRunner, type Runner, type Stop } from "./host.js";
import { dataOf, volume } from "./shape.js";
import { type KernelTree, ptxOf } from "./tree.js";

export interface Stopped {
  readonly problem?: string;
  /** Number of stops compared, and the kind of the last one. */
  readonly compared: number;
  readonly kind: string;
  /** Stops on several threads in which another than the first took part. */
  readonly helped: number;
}

interface Runners {
  readonly reference: Runner;
  readonly fast: Runner;
  readonly shared: Runner | undefined;
}

/** Opens a kernel in each way that it is run, and closes all after `work`. */
async function withRunners<T>(
  kernel: KernelTree,
  onThreads: boolean,
  work: (runners: Runners) => Promise<T>,
): Promise<T | string> {
  const image = linkPtx(ptxOf(kernel));
  if (typeof image === "string") return `link: ${image}`;
  const data = dataOf(kernel);
  const hotAfter = kernel.seed % 3 === 0 ? 3 : 0;
  const threads = 2 + (kernel.seed % 2);
  const runners: Runners = {
    reference: await openRunner(image, kernel, data, { engine: "reference" }),
    fast: await openRunner(image, kernel, data, { engine: "fast", hotAfter }),
    shared:
      onThreads && volume(kernel.grid) > 1
        ? await openRunner(image, kernel, data, { engine: "fast", hotAfter, threads })
        : undefined,
  };
  try {
    return await work(runners);
  } finally {
    for (const runner of Object.values(runners)) await (runner as Runner | undefined)?.close();
  }
}

/** Most instructions of kernels whose limits are tried, and of those that must stop by themselves. */
const MOST = { limited: 60_000, faulty: 150_000 } as const;
/** Number of limits for each kernel: the first and last ones, and random ones. */
const EDGES = 3;

const last = ({ results }: Outcome): Outcome["results"][number] => results.at(-1)!;

/** Limits of all kinds; every limit for kernels with at most `tries` instructions. */
export async function compareLimits(kernel: KernelTree, onThreads: boolean, tries = 24): Promise<Stopped> {
  let [compared, helped] = [0, 0];
  const problem = await withRunners({ ...kernel, launches: 1 }, onThreads, async ({ reference, fast, shared }) => {
    const whole = await reference.run({ maxInstructions: MOST.limited });
    const all = last(whole).warpInstructions;
    if (last(whole).fault !== undefined) return undefined;
    for (const maxInstructions of limitsOf(kernel.seed, all, tries)) {
      compared++;
      const wanted = maxInstructions >= all ? whole : await reference.run({ maxInstructions });
      const together = await shared?.run({ maxInstructions });
      if (together !== undefined && together.helped > 0) helped++;
      const problem =
        differenceOf(await fast.run({ maxInstructions }), wanted) ??
        (together && sharedDifference(together, wanted, maxInstructions));
      if (problem !== undefined) return `limit ${maxInstructions} of ${all}: ${problem}`;
    }
    return undefined;
  });
  return { compared, helped, kind: "instruction-limit", ...(problem === undefined ? {} : { problem }) };
}

function limitsOf(seed: number, all: number, tries: number): readonly number[] {
  if (all + 1 <= tries) return Array.from({ length: all + 1 }, (_, i) => i + 1);
  const random = randomFrom(seed ^ 0x1234567);
  for (let i = 0; i < 8; i++) random.below(2);
  const edges = Array.from({ length: EDGES }, (_, i) => [i + 1, all - 1 + i]).flat();
  return [...edges, ...Array.from({ length: Math.max(0, tries - edges.length) }, () => 1 + random.below(all))];
}

/** Runs a kernel with faults until it stops by itself or at a limit. */
export async function compareFault(kernel: KernelTree, onThreads: boolean): Promise<Stopped> {
  let kind = "none";
  let helped = 0;
  const problem = await withRunners(kernel, onThreads, async ({ reference, fast, shared }) => {
    const stop: Stop = { maxInstructions: MOST.faulty };
    const wanted = await reference.run(stop);
    kind = last(wanted).fault?.kind ?? "none";
    const together = await shared?.run(stop);
    helped = together === undefined || together.helped === 0 ? 0 : 1;
    return (
      differenceOf(await fast.run(stop), wanted) ??
      // Runs it again on the initial memory, now with generated code.
      differenceOf(await fast.run(stop), wanted) ??
      (together && sharedDifference(together, wanted, MOST.faulty))
    );
  });
  return { compared: 1, helped, kind, ...(problem === undefined ? {} : { problem }) };
}

/** Interrupts a spinning kernel when all its threads have reached their final place. */
export async function compareInterruption(kernel: KernelTree): Promise<Stopped> {
  let kind = "none";
  const problem = await withRunners(kernel, false, async ({ reference, fast }) => {
    const wanted = await reference.run({ signal: signalAfter(3) });
    kind = last(wanted).fault?.kind ?? "none";
    const outcome = await fast.run({ signal: signalAfter(3) });
    const report = (of: Outcome): unknown => ({
      threadLocations: last(of).fault?.threadLocations,
      printf: last(of).printf,
    });
    if (last(outcome).fault?.kind !== last(wanted).fault?.kind || !isDeepStrictEqual(report(outcome), report(wanted)))
      return `${JSON.stringify(last(outcome))}\n and ${JSON.stringify(last(wanted))}`;
    return Buffer.compare(outcome.bytes, wanted.bytes) === 0 ? undefined : "memory differs";
  });
  return { compared: 1, helped: 0, kind, ...(problem === undefined ? {} : { problem }) };
}

/** A signal that is aborted at its n-th check, so that every run is the same. */
function signalAfter(looks: number): AbortSignal {
  let left = looks;
  const signal = new AbortController().signal;
  return Object.defineProperty(signal, "aborted", { get: () => --left < 0 });
}

function differenceOf(ours: Outcome, wanted: Outcome): string | undefined {
  if (!isDeepStrictEqual(ours.results, wanted.results))
    return `${JSON.stringify(last(ours))}\n and ${JSON.stringify(last(wanted))} by the reference engine`;
  const at =
    Buffer.compare(ours.bytes, wanted.bytes) === 0 ? -1 : ours.bytes.findIndex((b, i) => b !== wanted.bytes[i]);
  return at < 0 ? undefined : `memory differs at ${at}`;
}

/**
 * What is compared of a launch on several threads: all, if it ends; otherwise what does not depend on the progress of
 * other threads.
 */
function sharedDifference(ours: Outcome, wanted: Outcome, limit: number): string | undefined {
  if (last(wanted).fault === undefined) return prefixed(differenceOf(ours, wanted));
  const essence = ({ results }: Outcome): unknown =>
    results.map(({ fault, warpInstructions, printf }, i) => {
      if (i < results.length - 1) return { warpInstructions, printf };
      if (fault?.kind === "instruction-limit") return { kind: fault.kind, message: fault.message, limit };
      const { details: _, threadLocations: __, ...place } = fault!;
      return { ...place, printf };
    });
  const both = [essence(ours), essence(wanted)] as const;
  return isDeepStrictEqual(...both) ? undefined : prefixed(both.map((each) => JSON.stringify(each)).join("\n and "));
}

const prefixed = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `threads: ${text}`;
