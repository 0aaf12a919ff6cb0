// What a launch needs to know of a kernel, from its declaration: where each parameter stands in the parameter block and
// how many threads it allows. PTX ISA 9.0 sections 5.1.6.1 (kernel parameters) and 11.4 (performance directives).

import { LARGE_PARAMETERS, targetFacts } from "../../formats/cuda/index.js";
import type { Prototype } from "../isa/code.js";
import type { CodeSymbol, KernelInfo } from "./object.js";
import { alignUp } from "./place.js";

/** Bytes from the block's start to each parameter, and bytes of the whole block. */
export function parameterBlock(prototype: Prototype): { readonly offsets: readonly number[]; readonly bytes: number } {
  let bytes = 0;
  const offsets = prototype.parameters.map(({ layout }) => {
    const offset = alignUp(bytes, layout.align);
    bytes = offset + layout.size;
    return offset;
  });
  return { offsets, bytes };
}

type Threads = readonly [number, number, number];

/** The values of a directive as three extents; those not written are 1. */
function extents(directives: CodeSymbol["directives"], name: string): Threads | undefined {
  const values = directives.find((directive) => directive.name === name)?.values;
  return values === undefined ? undefined : [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
}

/** Facts about the kernel that is symbol `index`; shared memory is known only once it is linked. */
export function kernelInfo(
  symbol: CodeSymbol,
  index: number,
  shared: Pick<KernelInfo, "sharedBytes" | "dynamicSharedOffset"> = { sharedBytes: 0, dynamicSharedOffset: 0 },
): KernelInfo {
  const { offsets, bytes } = parameterBlock(symbol.prototype);
  const maxThreads = extents(symbol.directives, "maxntid");
  const requiredThreads = extents(symbol.directives, "reqntid");
  const { sharedBytes, dynamicSharedOffset } = shared;
  const info = { symbol: index, parameterOffsets: offsets, parameterBytes: bytes, sharedBytes, dynamicSharedOffset };
  if (maxThreads === undefined && requiredThreads === undefined) return info;
  return {
    ...info,
    ...(maxThreads === undefined ? {} : { maxThreads }),
    ...(requiredThreads === undefined ? {} : { requiredThreads }),
  };
}

/** Bytes from the start of constant bank 0 to a kernel's parameters, of which there are so many bytes. */
export function parameterBase(sm: number, bytes: number): number {
  const facts = targetFacts(sm);
  return bytes > LARGE_PARAMETERS ? facts.largeParameterBase : facts.parameterBase;
}
