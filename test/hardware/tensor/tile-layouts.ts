// Where the recordings' generator puts the elements of logical tiles: layout_a, layout_b and layout_c of its tensor_inputs.py, which
// took them from the PTX ISA. Independent of lib/exec/tensor on purpose.

import { BITS, type Instruction, threadsOf } from "./formats.js";

/** Index of an element in the order of the register files, [register][thread][position], or of shared memory. */
export type ElementIndex = (row: number, column: number) => number;

const perWord = (type: string): number => Math.max(1, 32 / BITS[type]!);

/** A: row m, stored element k. */
export function layoutA({ ta, layout, M, kind }: Instruction): ElementIndex {
  const bits = BITS[ta]!;
  const per = perWord(ta);
  if (layout === "wgmma")
    return (m, k) => {
      const byte = Math.floor((k * bits) / 8);
      return (((m >> 3) * 256 + (byte >> 4) * 128 + (m & 7) * 16 + (byte & 15)) * 8) / bits;
    };
  return (row, k) => {
    const [warp, m] = layout === "wgmma_reg" ? [row >> 4, row & 15] : [0, row];
    const group = Math.floor(k / per);
    const lane = (m & 7) * 4 + (group & 3);
    const register = M > 8 ? (m >> 3) + 2 * (group >> 2) : group >> 2;
    return (register * threadsOf({ kind }) + warp * 32 + lane) * per + (k % per);
  };
}

/** B: row k, column n. */
export function layoutB({ tb, kind }: Instruction): ElementIndex {
  const bits = BITS[tb]!;
  const per = perWord(tb);
  if (kind === "wgmma")
    return (k, n) => {
      const byte = Math.floor((k * bits) / 8);
      return (((byte >> 4) * 128 + n * 16 + (byte & 15)) * 8) / bits;
    };
  return (k, n) => {
    const group = Math.floor(k / per);
    return ((group >> 2) * 32 + n * 4 + (group & 3)) * per + (k % per);
  };
}

/** C and D. */
export function layoutC({ tc, kind, M }: Instruction): ElementIndex {
  const threads = threadsOf({ kind });
  return (row, n) => {
    const [warp, m] = [row >> 4, row & 15];
    const thread = warp * 32 + (m & 7) * 4 + (n >> 1);
    if (tc === "f16") return ((M === 8 ? 0 : m >> 3) * threads + thread) * 2 + (n & 1);
    return ((M === 8 ? 0 : (m >> 3) * 2) + (n & 1)) * threads + thread;
  };
}
