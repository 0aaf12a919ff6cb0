// The device behind testdata/oracle/cuda: reads what a CUDA program asks of its runtime from file descriptor 10, and
// answers on 11. What kernels print goes to the program's standard output; faults, and at the end what was run, to standard error.

import { readSync, writeSync } from "node:fs";
import type { Address } from "../../lib/base/brand.js";
import { createSink } from "../../lib/diag/sink.js";
import { renderText } from "../../lib/diag/render-text.js";
import type { DeviceBuffer } from "../../lib/exec/device/arguments.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { DeviceImage, TextureDescription, DeviceTensorMap, Device } from "../../lib/exec/device/interface.js";
import type { FaultKind } from "../../lib/exec/state/result.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { openInputs } from "../../lib/link/inputs/open-input.js";
import type { ImageDescription } from "../../lib/load/image.js";

const [asked, answers] = [10, 11];

/** cudaErrorIllegalAddress and its kind; whatever else stops a kernel is cudaErrorLaunchFailure. */
const errors: Partial<Record<FaultKind, number>> = { assert: 710, "illegal-address": 700, "misaligned-address": 716 };
const LAUNCH_FAILURE = 719;
const INVALID_VALUE = 1;

const modules: Uint8Array[] = [];
let device: Device | undefined;
/** CUDA arrays, by the numbers that the program has for them: those from 1 on. */
const images: (DeviceImage | undefined)[] = [undefined];
let instructions = 0;

const say = (text: string): unknown => writeSync(2, `[ptxkit] ${text}\n`);

/** All modules linked into one image, when first something is asked of the device. */
function opened(): Device {
  if (device !== undefined) return device;
  const sink = createSink();
  const objects = modules.flatMap((bytes, i) =>
    openInputs({ name: `module ${i}`, bytes }, sink).flatMap((input) =>
      input.kind === "object" ? [input.object] : [],
    ),
  );
  const image = sink.errorCount === 0 ? linkObjects(objects, {}, sink) : undefined;
  if (image === undefined || sink.errorCount > 0) throw new Error(renderText(sink.all));
  return (device = openDevice(image, { onPrint: (text) => writeSync(1, text) }));
}

function receive(count: number): Buffer | undefined {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count;) {
    const read = readSync(asked, bytes, at, count - at, null);
    if (read === 0) return undefined;
    at += read;
  }
  return bytes;
}

function send(error: number, payload: Uint8Array): void {
  const bytes = Buffer.concat([words(error, payload.length), payload]);
  for (let at = 0; at < bytes.length;) at += writeSync(answers, bytes, at);
}

const words = (...values: readonly number[]): Buffer => Buffer.from(BigUint64Array.from(values, BigInt).buffer);
const word = (bytes: Buffer, index: number): number => Number(bytes.readBigUInt64LE(8 * index));
const buffer = (address: number, size: number): DeviceBuffer => ({ address: address as Address, size });

interface Answer {
  readonly error?: number;
  readonly payload?: Uint8Array;
}

const json = (payload: Buffer): unknown => JSON.parse(payload.toString());
function imageAt(payload: Buffer, index: number): DeviceImage {
  const image = images[word(payload, index)];
  if (image === undefined) throw new RangeError("there is no such array");
  return image;
}

/** By the numbers of runtime.h. */
const operations: Readonly<Record<number, (payload: Buffer) => Answer | Promise<Answer>>> = {
  1: (payload) => {
    modules.push(payload);
    device = undefined;
    return {};
  },
  2: (payload) => ({ payload: words(opened().alloc(word(payload, 0)).address) }),
  3: (payload) => {
    opened().free(buffer(word(payload, 0), 0));
    return {};
  },
  4: (payload) => {
    opened().write(buffer(word(payload, 0), payload.length - 8), payload.subarray(8));
    return {};
  },
  5: (payload) => ({ payload: opened().read(buffer(word(payload, 0), word(payload, 1)), Uint8Array) }),
  6: (payload) => {
    const size = word(payload, 2);
    opened().copy(buffer(word(payload, 0), size), buffer(word(payload, 1), size));
    return {};
  },
  7: (payload) => {
    opened().fill(buffer(word(payload, 0), word(payload, 2)), { type: "u8", value: word(payload, 1) });
    return {};
  },
  8: (payload) => {
    const { address, size } = opened().symbol(payload.toString());
    return { payload: words(address, size) };
  },
  9: (payload) => {
    const sizes = opened()
      .kernel(payload.toString())
      .parameters.map(({ size }) => size);
    return { payload: words(sizes.length, ...sizes) };
  },
  10: launch,
  11: (payload) => ({ payload: words(images.push(opened().image(json(payload) as ImageDescription)) - 1) }),
  12: (payload) => {
    opened().free(imageAt(payload, 0));
    return {};
  },
  13: (payload) => {
    opened().write(imageAt(payload, 0), payload.subarray(16), word(payload, 1));
    return {};
  },
  14: (payload) => ({
    payload: opened().read(imageAt(payload, 0), new Uint8Array(word(payload, 2)), word(payload, 1)),
  }),
  15: (payload) => {
    const { image, ...rest } = json(payload) as { image?: number };
    const of = image === undefined ? rest : { ...rest, image: images[image] };
    return { payload: words(opened().texture(of as TextureDescription).handle) };
  },
  16: (payload) => {
    const image = imageAt(payload, 0);
    const level = image.image.shape.levels.findIndex(({ offset }) => offset === word(payload, 1));
    return { payload: words(opened().surface({ image, level }).handle) };
  },
  17: (payload) => {
    const { address, ...map } = json(payload) as Omit<DeviceTensorMap, "buffer"> & { readonly address: number };
    // The driver does not ask how large the memory behind the address is.
    return { payload: opened().tensorMap({ ...map, buffer: buffer(address, Number.MAX_SAFE_INTEGER) }) };
  },
};

async function launch(payload: Buffer): Promise<Answer> {
  const head = Array.from({ length: 13 }, (_, i) => payload.readUInt32LE(4 * i));
  const [gx, gy, gz, bx, by, bz, sharedBytes, cooperative, cx, cy, cz, dependent, length] = head as [number, number, number, number, number, number, number, number, number, number, number, number, number]; // prettier-ignore
  let at = 52 + length;
  const name = payload.toString("utf8", 52, at);
  const args = opened()
    .kernel(name)
    .parameters.map(({ size }) => Uint8Array.from(payload.subarray(at, (at += size))));
  const result = await opened().launch(name, {
    grid: [gx, gy, gz],
    block: [bx, by, bz],
    sharedBytes,
    cooperative: cooperative === 1,
    async: process.env["PTXKIT_CUDA_ASYNC"] === "early" ? "early" : "late",
    dependent: dependent === 1,
    sanitize: process.env["PTXKIT_CUDA_SANITIZE"] === "1",
    ...(cx === 0 ? {} : { cluster: [cx, cy, cz] }),
    args,
  });
  instructions += result.warpInstructions;
  for (const { kind, message, file, line, other, count } of result.findings ?? [])
    say(
      `${kind}: ${message} in ${name}, ${file}:${line}${other === undefined ? "" : ` and ${other.file}:${other.line}`}, ${count} times`,
    );
  if (result.fault === undefined) return {};
  say(`${result.fault.kind}: ${result.fault.message} in ${name}, ${result.fault.file}:${result.fault.line}`);
  return { error: errors[result.fault.kind] ?? LAUNCH_FAILURE };
}

for (;;) {
  const head = receive(16);
  const payload = head === undefined ? undefined : receive(word(head, 1));
  if (head === undefined || payload === undefined) break;
  try {
    const { error = 0, payload: answer = new Uint8Array() } = await operations[word(head, 0)]!(payload);
    send(error, answer);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    send(INVALID_VALUE, new Uint8Array());
  }
}
say(`${instructions} warp instructions, ${device?.memory.peakBytes ?? 0} bytes of global memory at most`);
