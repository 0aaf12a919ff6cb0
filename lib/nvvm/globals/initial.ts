// The bytes of an initial value in the data layout, and the addresses in it (NVVM IR 1.0 chapter 5).

import type { GlobalVariable } from "../ir/global.js";
import type { DataLayout } from "../ir/layout.js";
import type { Type } from "../ir/type.js";
import type { Constant } from "../ir/value.js";
import { bitsOf, foldConstant, type Address } from "./fold.js";

export interface InitialValue {
  /** All bytes of the variable, with zeros for addresses. */
  readonly bytes: Uint8Array;
  /** By ascending offset. */
  readonly addresses: readonly PlacedAddress[];
}

/** Some bytes of an address at a byte offset. */
export interface PlacedAddress {
  readonly offset: number;
  readonly address: Address;
}

/** Receives a constant that cannot be an initial value; `shared` is the shared variable whose address it would be. */
export type OnFault = (constant: Constant, shared?: GlobalVariable) => void;

/** Whether it is zero without examining bytes; undefined values are. */
export const isZero = ({ kind }: Constant): boolean =>
  kind === "zero" || kind === "null" || kind === "undef" || kind === "poison" || kind === "none";

/** The value of a variable of that many bytes; `onFault` receives constants that cannot be initial values. */
export function initialValue(constant: Constant, size: number, layout: DataLayout, onFault: OnFault): InitialValue {
  const bytes = new Uint8Array(size);
  const addresses: PlacedAddress[] = [];

  function write(value: Constant, type: Type, offset: number): void {
    if (isZero(value)) return;
    if (value.kind === "bytes") return bytes.set(value.bytes.subarray(0, size - offset), offset);
    if (value.kind === "aggregate") return writeElements(value.elements, type, offset);
    const folded = foldConstant(value, layout);
    if (folded === undefined) return onFault(value);
    if (folded.kind === "address") {
      // Every block has its own shared memory, so its addresses are unknown before a block runs.
      if (folded.global.kind === "variable" && folded.global.type.space === 3) return onFault(value, folded.global);
      addresses.push({ offset, address: folded });
    } else writeBits(folded.bits, offset, layout.storeSize(type) ?? 0);
  }

  function writeElements(elements: readonly Constant[], type: Type, offset: number): void {
    if (type.kind === "struct") {
      const offsets = layout.offsets(type);
      elements.forEach((element, i) => write(element, type.fields![i]!, offset + offsets[i]!));
    } else if (type.kind === "array") {
      const stride = layout.allocSize(type.element) ?? 0;
      elements.forEach((element, i) => write(element, type.element, offset + i * stride));
    } else if (type.kind === "vector") writeVector(elements, type.element, offset);
  }

  /** Elements of a vector are packed bit after bit, the first in the lowest. */
  function writeVector(elements: readonly Constant[], type: Type, offset: number): void {
    const width = bitsOf(type, layout) ?? 8;
    if (width % 8 === 0) {
      elements.forEach((element, i) => write(element, type, offset + (i * width) / 8));
      return;
    }
    let bits = 0n;
    elements.forEach((element, i) => {
      const folded = foldConstant(element, layout);
      if (folded?.kind !== "bits") onFault(element);
      else bits |= folded.bits << BigInt(i * width);
    });
    writeBits(bits, offset, Math.ceil((elements.length * width) / 8));
  }

  function writeBits(bits: bigint, offset: number, count: number): void {
    if (count <= 4) {
      let word = Number(bits);
      for (let i = 0; i < count; i++, word >>>= 8) bytes[offset + i] = word;
      return;
    }
    for (let i = 0; i < count; i++) bytes[offset + i] = Number((bits >> BigInt(8 * i)) & 255n);
  }

  write(constant, constant.type, 0);
  addresses.sort((a, b) => a.offset - b.offset);
  return { bytes, addresses };
}
