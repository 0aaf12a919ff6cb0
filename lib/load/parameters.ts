// The parameter block of a launch: arguments at the offsets that the kernel declares. PTX ISA 9.0 section 5.1.6.1.

import type { Layout, Parameter } from "../isa/code.js";
import type { ElementType } from "./elements.table.js";
import type { LoadedKernel } from "./process.js";

/** The parameter block, or the reason why the arguments do not fit. `index` is the wrong argument, if one is to blame. */
export type Packed =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly message: string; readonly index?: number };

/** Bytes of an address as an argument. In a 32-bit process: 8 for a parameter of 64 bits, otherwise 4. In a 64-bit process: 8. */
export function pointerBytes({ function: fn, addressBits }: LoadedKernel, index: number): 4 | 8 {
  const parameter = fn.symbol.prototype.parameters[index];
  return addressBits === 32 && parameter?.layout.size !== 8 ? 4 : 8;
}

/** An address, little endian. */
export function addressBytes(address: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(address), true);
  return new Uint8Array(view.buffer, 0, bytes);
}

/** An argument: its little-endian bytes and, for a number, its type. */
export interface ArgumentValue {
  readonly bytes: Uint8Array;
  readonly type?: ElementType;
}

/** Packs arguments. Each must have exactly its parameter's size, and a number must have a type that the parameter accepts. */
export function packParameters(kernel: LoadedKernel, values: readonly ArgumentValue[]): Packed {
  const { parameters } = kernel.function.symbol.prototype;
  if (values.length !== parameters.length)
    return {
      ok: false,
      message: `kernel '${kernel.name}' has ${count(parameters.length, "parameter")}, but ${count(values.length, "argument")} ${values.length === 1 ? "is" : "are"} given: ${signature(kernel)}`,
    };
  const opaque = parameters.map(isOpaque);
  const { parameterBytes } = kernel.info;
  const bytes = new Uint8Array(opaque.includes(true) ? handleOffset(kernel, opaque.length) : parameterBytes);
  for (const [index, { bytes: value, type }] of values.entries()) {
    const { layout } = parameters[index]!;
    if (opaque[index]! && value.length === HANDLE_BYTES) {
      bytes.set(value, handleOffset(kernel, index));
      continue;
    }
    if (value.length !== layout.size || opaque[index]! || (type !== undefined && !takes(layout, type))) {
      const given = type === undefined ? `has ${value.length}` : `is a .${type.name} of ${value.length}`;
      return {
        ok: false,
        index,
        message: `parameter ${index} of kernel '${kernel.name}' is ${layoutText(layout)} of ${opaque[index]! ? HANDLE_BYTES : layout.size} bytes; the argument ${given}: ${signature(kernel)}`,
      };
    }
    bytes.set(value, kernel.info.parameterOffsets[index]!);
  }
  return { ok: true, bytes };
}

/**
 * Whether a parameter accepts a number of a type of the same size. Integers accept any integer, floats the same float. Bits and
 * parts of arrays and vectors accept every type, and every parameter accepts bits.
 */
function takes({ type: { class: kind, name }, dimensions, vector }: Layout, type: ElementType): boolean {
  if (kind === "bits" || (type.name.startsWith("b") && type.class === "integer") || dimensions.length > 0 || vector > 1)
    return true;
  return kind === "float" ? type.name === name : type.class === "integer";
}

const HANDLE_BYTES = 8;

/**
 * Offset of the handle for a `.texref`, `.samplerref` or `.surfref` parameter. These have no bytes among the parameters; their
 * handles follow the parameters.
 */
export function handleOffset({ function: { symbol }, info }: LoadedKernel, index: number): number {
  const before = symbol.prototype.parameters.slice(0, index).filter(isOpaque).length;
  return HANDLE_BYTES * (Math.ceil(info.parameterBytes / HANDLE_BYTES) + before);
}

const isOpaque = ({ layout }: Parameter): boolean => layout.type.class === "opaque";

/** The kernel's declaration in short: "k(.u64 out, .u32 n, .b8 raw[8])". */
export function signature(kernel: LoadedKernel): string {
  const parameters = kernel.function.symbol.prototype.parameters.map(({ name, layout }) => {
    const { type, vector, dimensions } = layout;
    const width = vector > 1 ? `.v${vector} ` : "";
    return `${width}.${type.name}${name === "" ? "" : ` ${name}`}${dimensions.map((size) => `[${size}]`).join("")}`;
  });
  return `${kernel.name}(${parameters.join(", ")})`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? "" : "s"}`;
}

function layoutText(layout: Layout): string {
  return layout.dimensions.length === 0 ? `a .${layout.type.name}` : `an array of .${layout.type.name}`;
}
