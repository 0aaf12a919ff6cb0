// One kernel on everything that can run it; in words, where they differ.

import { type CHost, type Outcome, runPtx } from "./host.js";
import { COUNTER_BYTES, dataOf, THREAD_BYTES } from "./kernel.js";
import { registerCounts } from "./builder.js";
import { cOf, type KernelTree, ptxOf } from "./tree.js";

/** Undefined when all agree: both engines to the last bit, counts included, and C. */
export async function compareOnce(kernel: KernelTree, host: CHost | undefined): Promise<string | undefined> {
  const data = dataOf(kernel);
  const ptx = ptxOf(kernel);
  const reference = await runPtx(ptx, kernel, data, "reference");
  if (reference.failure !== undefined) return `reference engine: ${reference.failure}`;
  const fast = await runPtx(ptx, kernel, data, "fast");
  if (fast.failure !== undefined) return `fast engine: ${fast.failure}`;
  const engines = differenceOf(kernel, fast, reference, "the reference engine") ?? countsOf(fast, reference);
  if (engines !== undefined) return `engines: ${engines}`;
  if (host === undefined) return undefined;
  const wanted = host.run(cOf(kernel), data);
  if (wanted.failure !== undefined) return wanted.failure;
  const difference = differenceOf(kernel, reference, wanted, "C");
  return difference === undefined ? undefined : `difference: ${difference}`;
}

function countsOf({ result: fast }: Outcome, { result: reference }: Outcome): string | undefined {
  const counts = (result: Outcome["result"]): string =>
    `${result?.warpInstructions} warp and ${result?.threadInstructions} thread instructions`;
  return counts(fast) === counts(reference)
    ? undefined
    : `${counts(fast)}, and ${counts(reference)} by the reference engine`;
}

function differenceOf(kernel: KernelTree, ours: Outcome, wanted: Outcome, of: string): string | undefined {
  const at = ours.bytes.findIndex((byte, i) => byte !== wanted.bytes[i]);
  if (at < 0) return undefined;
  const threads = kernel.blocks * kernel.block[0] * kernel.block[1] * kernel.block[2];
  const registers = Object.entries(registerCounts).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, i) => `${letter}${i}`),
  );
  const word = 8 * Math.floor(at / 8);
  const [has, should] = [ours, wanted].map(({ bytes }) =>
    Buffer.from(bytes.slice(word, word + 8))
      .reverse()
      .toString("hex"),
  );
  const where =
    at < threads * THREAD_BYTES
      ? `thread ${Math.floor(at / THREAD_BYTES)}, ${registers[Math.floor((at % THREAD_BYTES) / 8)]}`
      : at < threads * THREAD_BYTES + kernel.blocks * COUNTER_BYTES
        ? "a counter of a block"
        : `memory at ${at}`;
  return `${where} is 0x${has}, and 0x${should} of ${of}`;
}
