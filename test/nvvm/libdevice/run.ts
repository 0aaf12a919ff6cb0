// Runs functions of libdevice in ptxkit: one kernel for each, one thread for each row of arguments.

import { linkSources, openDevice } from "../../../lib/index.js";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";
import { compileModule } from "../../../lib/nvvm/compile.js";
import { neededOf } from "../../../lib/nvvm/library.js";
import type { NvvmOptions } from "../../../lib/nvvm/options.js";
import type { Signature, Slot } from "./signature.js";

/** Bits of each argument; for a list, of its elements; for a text, its characters. */
export type Row = readonly (bigint | readonly bigint[])[];

/** Bytes for a thread's arguments, its results, and the targets of its pointers. */
const STRIDE = 128;
const LIST = 64;

const isWritten = (slot: Slot): boolean => slot.startsWith("p");
const isRead = (slot: Slot): boolean => slot === "text" || slot.startsWith("list");
const isWide = (slot: Slot): boolean => isWritten(slot) || isRead(slot) || slot === "f64" || slot === "i64";
const bits = (slot: Slot): number => (isWide(slot) ? 64 : 32);

/** A kernel that calls the function: each argument and result takes 8 bytes, and targets of pointers follow. */
function kernelOf({ name, parameters, result }: Signature): string {
  const declared = parameters.map((slot, i) => `.param .b${bits(slot)} a${i}`).join(", ");
  const results = result === undefined ? "" : `(.param .b${bits(result)} r) `;
  let written = result === undefined ? 0 : 1;
  const lines = parameters.map((slot, i) => {
    const to = `st.param.b${bits(slot)} [a${i}], `;
    if (isWritten(slot)) return `add.u64 %x, %out, ${8 * written++}; ${to}%x;`;
    if (isRead(slot)) return `add.u64 %x, %in, ${LIST}; ${to}%x;`;
    return isWide(slot) ? `ld.global.b64 %x, [%in+${8 * i}]; ${to}%x;` : `ld.global.b32 %w, [%in+${8 * i}]; ${to}%w;`;
  });
  const register = result === undefined || isWide(result) ? "%x" : "%w";
  const width = result === undefined ? 32 : bits(result);
  return `.extern .func ${results}${name}(${declared});
.visible .entry run_${name}(.param .u64 in, .param .u64 out) {
  .reg .b32 %t, %w, %n, %b; .reg .b64 %in, %out, %x, %o;
  mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %t, %b, %n, %t;
  mul.wide.u32 %o, %t, ${STRIDE};
  ld.param.u64 %in, [in]; add.u64 %in, %in, %o; ld.param.u64 %out, [out]; add.u64 %out, %out, %o;
  {
    ${parameters.map((slot, i) => `.param .b${bits(slot)} a${i};`).join(" ")}
    ${result === undefined ? "" : `.param .b${width} r;`}
    ${lines.join("\n    ")}
    call ${result === undefined ? "" : "(r), "}${name}, (${parameters.map((_, i) => `a${i}`).join(", ")});
    ${result === undefined ? "" : `ld.param.b${width} ${register}, [r]; st.global.b${width} [%out], ${register};`}
  }
  ret;
}`;
}

export interface Library {
  /** Bits of the result, then of the pointers' targets, for each row. */
  run(signature: Signature, rows: readonly Row[]): Promise<readonly (readonly bigint[])[]>;
}

/** The PTX of these functions of `libdevice`, which is the contents of the file. */
export function compileLibrary(libdevice: Uint8Array, signatures: readonly Signature[], options: NvvmOptions): string {
  const sink = createSink();
  const module = readBitcode({ name: "libdevice.10.bc", bytes: libdevice }, sink);
  const { arch = ARCH, ftz = false, precDiv = true, precSqrt = true } = options;
  const reflect = { arch: Number(/\d+/.exec(arch)![0]), ftz, precDiv, precSqrt };
  const names = signatures.map(({ name }) => name);
  const needed = module && neededOf(module, names, { reflect, others: "internal" }, sink);
  const made = needed && compileModule(needed, { ...options, arch }, sink);
  if (made === undefined) throw new Error(sink.all[0]?.message);
  return Buffer.from(made.bytes).toString();
}

/** The target of kernels, and of libdevice unless given. */
const ARCH = "sm_80";

/** Links that PTX with a kernel for each function. */
export function openLibrary(libdevice: string, signatures: readonly Signature[]): Library {
  const head = `.version 8.5\n.target ${ARCH}\n.address_size 64\n`;
  const kernels = head + signatures.map(kernelOf).join("\n");
  const device = openDevice(linkSources({ "kernels.ptx": kernels, "libdevice.ptx": libdevice }));
  return {
    async run(signature, rows) {
      const bytes = new Uint8Array(STRIDE * rows.length);
      const view = new DataView(bytes.buffer);
      rows.forEach((row, r) => row.forEach((value, i) => put(view, r * STRIDE, i, signature.parameters[i]!, value)));
      const [input, output] = [device.alloc(bytes.length), device.alloc(bytes.length)];
      device.write(input, bytes);
      const { fault } = await device.launch(`run_${signature.name}`, {
        grid: rows.length,
        block: 1,
        args: [input, output],
      });
      if (fault !== undefined) throw new Error(`${signature.name}: ${JSON.stringify(fault)}`);
      const found = device.read(output, BigUint64Array);
      const slots = [signature.result, ...signature.parameters.filter(isWritten)].filter((slot) => slot !== undefined);
      const read = rows.map((_, r) =>
        slots.map((slot, i) => BigInt.asUintN(slot.includes("64") ? 64 : 32, found[(r * STRIDE) / 8 + i]!)),
      );
      device.free(input);
      device.free(output);
      return read;
    },
  };
}

function put(view: DataView, at: number, i: number, slot: Slot, value: bigint | readonly bigint[]): void {
  if (typeof value === "bigint") {
    if (isWide(slot)) view.setBigUint64(at + 8 * i, value, true);
    else view.setUint32(at + 8 * i, Number(value), true);
    return;
  }
  value.forEach((element, k) => {
    if (slot === "text") view.setUint8(at + LIST + k, Number(element));
    else if (slot === "list32") view.setUint32(at + LIST + 4 * k, Number(element), true);
    else view.setBigUint64(at + LIST + 8 * k, element, true);
  });
}
