// Runs a kernel written in NVVM IR, and returns what it leaves in memory.

import { linkSources, openDevice } from "../../../lib/index.js";

const layout =
  "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64";

export const head = `target datalayout = "${layout}"\ntarget triple = "nvptx64-nvidia-cuda"\n`;

export interface Run {
  readonly bytes: Uint8Array;
  readonly fault: string | undefined;
}

/** Launches `k(in, out)` with one block; `out` has that many bytes. */
export async function runKernel(
  text: string,
  input: Uint8Array,
  outBytes: number,
  threads = 1,
  before = head,
): Promise<Run> {
  const device = openDevice(linkSources({ "k.ll": `${before}${text}` }));
  const from = device.alloc(input.length === 0 ? new Uint8Array(16) : input);
  const to = device.alloc(new Uint8Array(outBytes));
  const { fault } = await device.launch("k", { grid: 1, block: threads, args: [from, to] });
  return { bytes: device.read(to, new Uint8Array(outBytes)), fault: fault?.message };
}

/** Bytes of an integer, lowest first. */
export function bytesOf(value: bigint, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) =>
    Number((BigInt.asUintN(count * 8, value) >> BigInt(8 * i)) & 255n),
  );
}

export const integerAt = (bytes: Uint8Array, at: number, count: number): bigint =>
  bytes.slice(at, at + count).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}
