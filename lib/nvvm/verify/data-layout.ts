// The data layout string and the target triple (NVVM IR 1.0 section 3.13; LLVM Language Reference, "Data Layout"). Layouts are
// compared by meaning: in any order, and with redundant parts.

import { layoutBits } from "../ir/layout-string.js";

/** Alignments in bits on a GPU; that of i128 is 128 since LLVM 7, and 64 if the layout does not define it. */
const alignments: Readonly<Record<string, readonly number[]>> = {
  i1: [8],
  i8: [8],
  i16: [16],
  i32: [32],
  i64: [64],
  i128: [64, 128],
  i256: [64, 128, 256],
  f16: [16],
  f32: [32],
  f64: [64],
  v16: [16],
  v32: [32],
  v64: [64],
  v128: [128],
};

/** Spaces whose pointers may be short: shared, constant, local, tensor memory and the shared memory of a cluster. */
const SHORT_SPACES: ReadonlySet<number> = new Set([3, 4, 5, 6, 7]);

/** Why the layout is not a GPU's; undefined if it is. */
export function layoutFault(layout: string): string | undefined {
  const bits = layoutBits(layout) ?? 64;
  for (const part of layout.split("-")) {
    const fault = part === "" ? undefined : partFault(part, bits);
    if (fault !== undefined) return fault;
  }
  // LLVM's default if the layout does not define it: i64 aligned by 32 bits.
  return layout !== "" && !/(?:^|-)i64:64/.test(layout) ? "i64 must be aligned to 64 bits (i64:64)" : undefined;
}

function partFault(part: string, pointerBits: number): string | undefined {
  if (part === "E") return "GPUs are little-endian (e)";
  const [head, ...numbers] = part.split(":");
  const [size, align] = numbers.map(Number);
  const pointer = /^p(\d*)$/.exec(head!);
  if (pointer !== null) {
    const space = Number(pointer[1]);
    if (size !== 32 && size !== 64) return "a pointer must have 32 or 64 bits";
    if (SHORT_SPACES.has(space) && size === 32)
      return align === undefined || align === 32 ? undefined : "a pointer must be aligned to its size";
    if (size !== pointerBits) return `pointers to address space ${space} must have as many bits as generic pointers`;
    return align === undefined || align === size ? undefined : "a pointer must be aligned to its size";
  }
  const typed = /^[ifv]\d+$/.test(head!);
  if (typed) {
    const possible = alignments[head!];
    if (possible === undefined || size === undefined) return undefined;
    return possible.includes(size) ? undefined : `${head} must be aligned to ${possible.at(-1)} bits`;
  }
  if (/^[PAG]\d+$/.test(part) && !/^[PAG]0$/.test(part))
    return `'${part}' selects another address space for functions, globals or allocas`;
  // Mangling, native widths, stacks and aggregates have no effect on a GPU.
  return /^(?:e|[aSFPAG]\d*|n\d*|ni|m)$/.test(head!) || /^s\d+$/.test(head!) || /^F[in]\d+$/.test(part)
    ? undefined
    : `'${part}' is not a known specification`;
}
