// `.nv.info` of a file: attributes of the whole file, initial values of samplers, and the kernels with unknown stack size.
// docs/format.md, "Attributes, call graph, prototypes". For other tools; kernel-info.ts makes each function's attributes.

import { EIATTR, EIFMT, type InfoEntry } from "../../../formats/cuda/index.js";

/** Bytes of a stack that no size is enough for. */
export const UNKNOWN_STACK = 0xffff_ffff;

/** Option of .target: each fetch names a sampler besides its texture. */
export const INDEPENDENT = "texmode_independent";

/** The attributes of a file. `recursive`: ELF symbols of kernels for which no stack size is known to suffice. */
export function moduleEntries({
  isIndependent,
  samplers,
  recursive,
}: {
  readonly isIndependent: boolean;
  readonly samplers: readonly InfoEntry[];
  readonly recursive: readonly number[];
}): readonly InfoEntry[] {
  const stacks = recursive.map((symbol): InfoEntry => {
    const payload = { kind: "symbol-value", symbol, value: UNKNOWN_STACK } as const;
    return { attribute: EIATTR.MIN_STACK_SIZE, format: EIFMT.SVAL, payload };
  });
  return [...(isIndependent ? [texmode] : []), ...samplers, ...stacks];
}

const texmode: InfoEntry = {
  attribute: EIATTR.TEXMODE_INDEPENDENT,
  format: EIFMT.NVAL,
  payload: { kind: "flag", value: 0 },
};
