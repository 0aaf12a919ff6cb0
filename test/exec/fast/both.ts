// Runs a kernel on both engines, and compares memory and results of the launch.

import { createSink } from "../../../lib/diag/sink.js";
import { openDevice } from "../../../lib/exec/device/device.js";
import type { DeviceLaunch } from "../../../lib/exec/device/interface.js";
import type { LaunchResult } from "../../../lib/exec/state/result.js";
import { linkObjects } from "../../../lib/link/link-objects.js";
import { assembleInput } from "../../../lib/link/inputs/open-input.js";
import type { LinkedImage } from "../../../lib/object/object.js";
import { header } from "../kernel.js";

export function imageOf(text: string): LinkedImage {
  const sink = createSink();
  const input = assembleInput({ name: "test.ptx", bytes: Buffer.from(header + text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((d) => `${d.message} ${JSON.stringify(d.place)}`).join("\n"));
  return image;
}

export interface Outcome {
  readonly result: LaunchResult;
  readonly memory: Uint8Array;
}

/** Runs kernels of a module on each engine, the fast one first; each gets the address of a buffer with `input`. */
export async function onBothEngines(
  text: string,
  input: Uint8Array,
  launch: Partial<DeviceLaunch> & { readonly kernels?: readonly string[] } = {},
): Promise<readonly (readonly [fast: Outcome, reference: Outcome])[]> {
  const { kernels = ["k"], ...rest } = launch;
  const image = imageOf(text);
  const run = async (engine: "fast" | "reference"): Promise<readonly Outcome[]> => {
    const device = openDevice(image, { hotAfter: 0 });
    const outcomes: Outcome[] = [];
    for (const kernel of kernels) {
      const buffer = device.alloc(input);
      const result = await device.launch(kernel, { grid: 1, block: 32, ...rest, args: [buffer], engine });
      outcomes.push({ result, memory: device.read(buffer, new Uint8Array(input.length)) });
      device.free(buffer);
    }
    return outcomes;
  };
  const [fast, reference] = [await run("fast"), await run("reference")];
  return fast.map((outcome, i) => [outcome, reference[i]!]);
}

/** Edge cases: small and large integers, powers of two, floats of every class. */
export const tellingWords: readonly number[] = [
  ...[0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536],
  ...[-1, -2, -3, -7, -32768, -65536, 0x7fffffff, -0x80000000, 0x7ffffffe, 0x12345678, -0x12345678, 0x55555555],
  ...[0x3f800000, -0x40800000, 0x40000000, 0x3f000000, 0x00000001, 0x007fffff, 0x00800000, -0x7fffffff],
  ...[0x7f800000, -0x00800000, 0x7fc00000, 0x7f800001, -0x00400000, 0x7fffffff, 0x7f7fffff, -0x00800001],
  ...[0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, -0x31000000, 0x3effffff, 0x33800000, 0x34000001, 0x4b000001],
  ...[0x7ff00000, 0x7ff80000, -0x00100000, 0x3ff00000, 0x43300000, 0x36a00000, 0x38100000, 0x47efffff, 0x47f00000],
];

/** Random 32-bit words, the same on every run. */
export function words(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}
