// A block's shared memory, and the system's part of it, where cooperative groups keep their barriers: %reserved_smem_offset_*,
// PTX ISA 9.0 section 10.29.
// From sm_90 on, the system's part is the first KiB, before the program's. Hardware allocates whole KiB and does not guard the
// rest of the program's last one (recorded on an H200). For older targets, whose addresses begin at 0, the system's part follows
// the block's memory. It exists only for kernels that read the registers, so that accesses directly after the memory of other
// kernels still fault.

import type { LoadedKernel, Process } from "../../load/process.js";
import { readsSpecial } from "./reads-special.js";

/** Bytes of the system's part, as on sm_80 and newer. */
export const RESERVED_BYTES = 1024;
const ALIGNMENT = 128;
/** Unit in which the hardware allocates shared memory from sm_90 on, in bytes. */
const GRANULE = 1024;

const roundUp = (bytes: number, unit: number): number => Math.ceil(bytes / unit) * unit;

/** Byte offset of the system's part in a block with `ownBytes` of its own. */
export function reservedOffset(
  { systemSharedBytes }: Pick<LoadedKernel, "systemSharedBytes">,
  ownBytes: number,
): number {
  return systemSharedBytes > 0 ? 0 : roundUp(ownBytes, ALIGNMENT);
}

/** Bytes of a block's shared memory, including the system's part, if it has `ownBytes` of its own. */
export function allSharedBytes(process: Process, kernel: LoadedKernel, ownBytes: number): number {
  const { systemSharedBytes } = kernel;
  if (systemSharedBytes > 0) return roundUp(systemSharedBytes + ownBytes, GRANULE);
  return usesReserved(process, kernel) ? reservedOffset(kernel, ownBytes) + RESERVED_BYTES : ownBytes;
}

/** The value of %total_smem_size for that many bytes: rounded up, without the system's part. */
export const totalSharedBytes = (bytes: number): number => roundUp(bytes, ALIGNMENT);

/** Whether the kernel, or a function that it may call, reads one of the %reserved_smem_offset registers. */
function usesReserved(process: Process, kernel: LoadedKernel): boolean {
  return readsSpecial(process, kernel, (name) => name.startsWith("reserved_smem_offset"));
}
