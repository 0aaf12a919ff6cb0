// The pointer widths in the data layout string and the target triple (LLVM Language Reference, "Data Layout").

import { createLayout, type DataLayout } from "./layout.js";
import type { Module } from "./module.js";

/** Bits of generic pointers; undefined if no part specifies them. */
export function layoutBits(layout: string): number | undefined {
  const part = layout.split("-").find((one) => /^p0?:\d/.test(one));
  return part === undefined ? undefined : Number(part.split(":")[1]);
}

/** Bits for `nvptx` and `nvptx64`; undefined for any other. */
export function tripleBits(triple: string | undefined): number | undefined {
  const machine = /^nvptx(64)?(?:-|$)/.exec(triple ?? "");
  return machine === null ? undefined : machine[1] === undefined ? 32 : 64;
}

/** 32 if the layout or, without one, the triple specifies it. */
function pointerBitsOf({ dataLayout, triple }: Module): 32 | 64 {
  const text = dataLayout?.text ?? "";
  return (text === "" ? tripleBits(triple?.text) : layoutBits(text)) === 32 ? 32 : 64;
}

/** Address spaces whose pointers have 32 bits in memory, in a 64-bit module: LLVM's short pointers, which Triton uses. */
function shortSpacesOf({ dataLayout }: Module): ReadonlySet<number> {
  const parts = (dataLayout?.text ?? "").split("-").map((part) => /^p([1-9]\d*):32(?::|$)/.exec(part));
  return new Set(parts.flatMap((match) => (match === null ? [] : [Number(match[1])])));
}

/** The layout of a module. */
export function layoutOf(module: Module): DataLayout {
  const bits = pointerBitsOf(module);
  return createLayout(bits, bits === 64 ? shortSpacesOf(module) : new Set());
}
