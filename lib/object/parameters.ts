// A kernel's launch interface, from its declaration: the offset of each parameter in the parameter block, and the limits of
// threads. PTX ISA 9.0 sections 5.1.6.1 (kernel parameters) and 11.4 (performance directives). Also the parameters' offsets in a
// GPU's constant bank, for files and their attributes.

import type { Dimensions } from "../base/dimensions.js";
import { LARGE_PARAMETERS, MAX_BANK_BYTES, targetFacts } from "../../formats/cuda/index.js";
import type { Parameter, Prototype } from "../isa/code.js";
import type { CodeSymbol, KernelInfo } from "./object.js";
import { alignUp } from "./place.js";

/** The parameter block of ptxkit's launches: bytes from its start to each parameter, and its size in bytes. */
export function parameterBlock(prototype: Prototype): { readonly offsets: readonly number[]; readonly bytes: number } {
  let bytes = 0;
  const offsets = prototype.parameters.map(({ layout }) => {
    const offset = alignUp(bytes, layout.align);
    bytes = offset + layout.size;
    return offset;
  });
  return { offsets, bytes };
}

/** The values of a directive as three extents; omitted ones are 1. */
function extents(directives: CodeSymbol["directives"], name: string): Dimensions | undefined {
  const values = directives.find((directive) => directive.name === name)?.values;
  return values === undefined ? undefined : [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
}

/** Data about the kernel with symbol `index`; shared memory is known only after linking. */
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

/** A kernel's parameters in constant bank 0, as ptxas places them (testdata/oracle/parameters.json). */
export interface ParameterBank {
  /** Offset in bytes of the first parameter in the bank. */
  readonly base: number;
  /**
   * Offset of each parameter from there, aligned in the bank; for a texture, sampler or surface, the offset that it would have.
   */
  readonly offsets: readonly number[];
  /** Bytes of all parameters, without those before the first. */
  readonly bytes: number;
  /** Whether the size exceeds the limit from which on other attributes describe the bank. */
  readonly isLarge: boolean;
  /** Whether attributes describe the bank at all. */
  readonly hasAttribute: boolean;
}

/** Whether a parameter is itself a texture, sampler or surface, which takes no bytes in the bank. */
export const isReference = ({ layout }: Parameter): boolean => layout.type.class === "opaque";

export function parameterBank({ parameters }: Prototype, sm: number): ParameterBank {
  const facts = targetFacts(sm);
  const isLarge = placedFrom(parameters, 0).bytes > LARGE_PARAMETERS;
  const base = isLarge ? facts.largeParameterBase : facts.parameterBase;
  const { offsets, bytes, bytesOfValues } = placedFrom(
    parameters,
    isLarge ? facts.largeParameterOrigin : facts.parameterOrigin,
  );
  return {
    base,
    offsets,
    bytes: facts.endsAtReference ? bytes : bytesOfValues,
    isLarge,
    hasAttribute: bytesOfValues > 0 || (facts.endsAtReference && parameters.length > 0),
  };
}

/** Alignment in bytes of a texture, sampler or surface. */
const REFERENCE_ALIGN = 4;

/**
 * Places the parameters, each at a multiple of its alignment (at most the bank's size), counted from `origin` bytes before the
 * first.
 */
function placedFrom(parameters: readonly Parameter[], origin: number) {
  let [bytes, bytesOfValues] = [0, 0];
  const offsets = parameters.map((parameter) => {
    const { align, size } = parameter.layout;
    const step = isReference(parameter) ? REFERENCE_ALIGN : Math.min(align, MAX_BANK_BYTES);
    const offset = alignUp(origin + bytes, step) - origin;
    bytes = isReference(parameter) ? offset : offset + size;
    if (!isReference(parameter)) bytesOfValues = bytes;
    return offset;
  });
  return { offsets, bytes, bytesOfValues };
}
