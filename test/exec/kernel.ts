// Kernels for tests: runs bodies in a module on a device, and single instructions on 32 lanes of operands.

import { createSink } from "../../lib/diag/sink.js";
import type { DeviceArgument } from "../../lib/exec/device/arguments.js";
import { openDevice } from "../../lib/exec/device/device.js";
import type { Device, DeviceLaunch, DeviceOptions } from "../../lib/exec/device/interface.js";
import type { LaunchResult } from "../../lib/exec/state/result.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assembleInput } from "../../lib/link/inputs/open-input.js";

export const header = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/** A device with one module loaded; `text` follows a header of three lines. */
export const deviceOf = (text: string): Device => deviceOfModule(header + text);

/** A device with one module loaded, whose text has a header. */
export function deviceOfModule(text: string, options: DeviceOptions = {}): Device {
  const sink = createSink();
  const input = assembleInput({ name: "test.ptx", bytes: Buffer.from(text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((d) => `${d.message} ${JSON.stringify(d.place)}`).join("\n"));
  return openDevice(image, options);
}

export interface Ran {
  readonly result: LaunchResult;
  /** The buffer `out` of 4096 bytes that every test kernel gets. */
  readonly out: DataView;
  readonly device: Device;
}

/**
 * Runs the body of a kernel `k` with the address of 4096 bytes in %out, and %tid.x in %t; `before` is at module scope.
 */
export async function runBody(
  body: string,
  launch: Partial<DeviceLaunch> & { readonly before?: string } = {},
): Promise<Ran> {
  const { before = "", ...rest } = launch;
  const device = deviceOf(`${before}
.visible .entry k(.param .u64 out) {
  .reg .b64 %out, %at; .reg .b32 %t;
  ld.param.u64 %out, [out]; mov.u32 %t, %tid.x;
  mul.wide.u32 %at, %t, 4; add.s64 %at, %at, %out;
  ${body}
  ret;
}`);
  const buffer = device.alloc(4096);
  const args: readonly DeviceArgument[] = [buffer];
  const result = await device.launch("k", { grid: 1, block: 32, args, maxInstructions: 2_000_000, ...rest });
  return { result, out: device.read(buffer, new DataView(new ArrayBuffer(4096))), device };
}

/** The words that the body left in `out`. */
export async function wordsOf(
  body: string,
  count: number,
  launch: Partial<DeviceLaunch> & { readonly before?: string } = {},
): Promise<readonly number[]> {
  const { result, out } = await runBody(body, launch);
  if (result.fault !== undefined) throw new Error(`${result.fault.kind}: ${result.fault.message}`);
  return Array.from({ length: count }, (_, i) => out.getInt32(4 * i, true));
}

/** Type of an operand: a number, or untyped bits. */
type Kind = "b16" | "b32" | "b64" | "f32" | "f64" | "pred";

const bitsOfKind: Readonly<Record<Kind, number>> = { b16: 16, b32: 32, b64: 64, f32: 32, f64: 64, pred: 32 };

export interface Case {
  /** "add.s32 d, a, b", with registers d, a, b, c, e of the given kinds. */
  readonly text: string;
  readonly kinds: readonly Kind[];
  /** For each lane, the bits of the operands. */
  readonly operands: readonly (readonly bigint[])[];
}

/** Runs one instruction, and returns d's bits in each lane. Operands are d, then a, b, c, e in order. */
export async function evaluate({ text, kinds, operands }: Case): Promise<readonly bigint[]> {
  const names = ["d", "a", "b", "c", "e"].slice(0, kinds.length);
  const body = [
    ...names.map((name, i) => `.reg .${kinds[i]} ${name};`),
    ".reg .b64 %p; .reg .b32 %w; .reg .b64 %wide;",
    ...names.slice(1).map((name, i) => {
      const kind = kinds[i + 1]!;
      const load = `mad.wide.u32 %p, %t, 8, %in; `;
      const at = `[%p+${256 * i}]`;
      return kind === "pred"
        ? `${load} ld.global.u32 %w, ${at}; setp.ne.u32 ${name}, %w, 0;`
        : `${load} ld.global.b${bitsOfKind[kind]} ${name}, ${at};`;
    }),
    text.startsWith("{") ? text : `${text};`,
    "mad.wide.u32 %p, %t, 8, %out;",
    kinds[0] === "pred"
      ? "selp.u32 %w, 1, 0, d; st.global.u32 [%p], %w;"
      : `st.global.b${bitsOfKind[kinds[0]!]} [%p], d;`,
  ].join("\n  ");
  const device = deviceOf(`
.visible .entry k(.param .u64 out, .param .u64 in) {
  .reg .b64 %out, %in; .reg .b32 %t;
  ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %t, %tid.x;
  ${body}
  ret;
}`);
  const input = new DataView(new ArrayBuffer(2048));
  operands.forEach((lane, l) => lane.forEach((bits, i) => input.setBigUint64(256 * i + 8 * l, bits, true)));
  const out = device.alloc(256);
  const args = [out, device.alloc(input)];
  const { fault } = await device.launch("k", { grid: 1, block: operands.length, args });
  if (fault !== undefined) throw new Error(`${fault.kind}: ${fault.message}`);
  const bytes = device.read(out, new DataView(new ArrayBuffer(256)));
  return operands.map((_, l) => bytes.getBigUint64(8 * l, true));
}
