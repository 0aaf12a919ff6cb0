// Runs the kernels of a random module on ptxkit, from its NVVM IR or from the PTX that another compiler made of it.

import { createHash } from "node:crypto";
import { linkSources, openDevice } from "../../../lib/index.js";
import { randomInput, type RandomModule } from "./random/module.js";

export const threads = 32;

/** What each kernel leaves in `out`, or the fault. */
export async function runModule(
  name: string,
  text: string,
  module: RandomModule,
  seed: number,
): Promise<readonly string[]> {
  const device = openDevice(linkSources({ [name]: text }));
  const results: string[] = [];
  for (const kernel of module.kernels) {
    const input = device.alloc(randomInput(seed, threads));
    const output = device.alloc(new Uint8Array(threads * module.outBytes));
    const { fault } = await device.launch(kernel, { grid: 1, block: threads, args: [input, output] });
    const bytes = device.read(output, new Uint8Array(threads * module.outBytes));
    results.push(fault === undefined ? Buffer.from(bytes).toString("hex") : `${fault.kind}: ${fault.message}`);
    device.free(input);
    device.free(output);
  }
  return results;
}

/** A module with its results, short. */
export const digestOf = (text: string, results: readonly string[]): string =>
  createHash("sha256")
    .update([text, ...results].join("\n"))
    .digest("hex");
