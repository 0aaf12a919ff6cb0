// The system's part of a block's shared memory, where cooperative groups keep their barriers: %reserved_smem_offset_*, PTX
// ISA 9.0 section 10.29. It lies behind the block's own memory, not in front of it as on hardware, where it moves every
// address; and only a kernel that asks for it has it, so that others still fault right behind what is theirs.

import type { LoadedKernel, Process } from "../load/process.js";
import { readsSpecial } from "./reads-special.js";

/** Bytes of it, as on sm_80 and newer. */
export const RESERVED_BYTES = 1024;
const ALIGNMENT = 128;

/** Offset in bytes at which it begins behind that many bytes of the block's own. */
export function reservedOffset(ownBytes: number): number {
  return Math.ceil(ownBytes / ALIGNMENT) * ALIGNMENT;
}

/** Whether the kernel, or a function that it can come to, reads one of the registers. */
export function usesReserved(process: Process, kernel: LoadedKernel): boolean {
  return readsSpecial(process, kernel, (name) => name.startsWith("reserved_smem_offset"));
}
