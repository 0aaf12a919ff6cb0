// Attributes of its device and of kernels that a kernel can query: cudaDeviceGetAttribute, cudaDeviceGetLimit,
// cudaFuncGetAttributes and the occupancy of a kernel. The numbers are those of an H200, whose number of multiprocessors %nsmid
// has, too. PTX does not determine the number of registers, which limits nothing here.

import { CONSTANT_BANK_BYTES } from "../../isa/state-spaces.table.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import { kernelAttributes } from "../machine/attributes.js";
import { dimensionsOf, launchLimits } from "../machine/launch-limits.js";
import { MULTIPROCESSORS } from "../machine/special.js";

const WARPS = 64;
const BLOCKS = 32;
const SHARED_OF_MULTIPROCESSOR = 233_472;
const SYSTEM_SHARED = 1024;
const SHARED_OF_BLOCK = SHARED_OF_MULTIPROCESSOR - SYSTEM_SHARED;
const REGISTERS = 65_536;
const PENDING_LAUNCHES = 2048;

/** Attributes by the number of enum cudaDeviceAttr. The compute capability is the image's. */
const attributes: ReadonlyMap<number, number | ((process: Process) => number)> = new Map<
  number,
  number | ((process: Process) => number)
>([
  [1, launchLimits.threadsPerBlock],
  ...launchLimits.block.map((most, i): [number, number] => [2 + i, most]),
  ...launchLimits.grid.map((most, i): [number, number] => [5 + i, most]),
  [8, 48 * 1024],
  [9, CONSTANT_BANK_BYTES],
  [10, 32],
  [11, 2 ** 31 - 1],
  [12, REGISTERS],
  // In kilohertz.
  [13, 1_980_000],
  [16, MULTIPROCESSORS],
  // No run-time limit on kernels, not integrated, default compute mode.
  [17, 0],
  [18, 0],
  [20, 0],
  [31, 1],
  [39, 32 * WARPS],
  [41, 1],
  [75, ({ image }) => Math.floor(image.target.sm / 10)],
  [76, ({ image }) => image.target.sm % 10],
  [81, SHARED_OF_MULTIPROCESSOR],
  [82, REGISTERS],
  [83, 1],
  [95, 1],
  [97, SHARED_OF_BLOCK],
  [106, BLOCKS],
  [111, SYSTEM_SHARED],
]);

export function deviceAttribute(process: Process, number: number): number | undefined {
  const value = attributes.get(number);
  return typeof value === "function" ? value(process) : value;
}

/** Limits by the number of enum cudaLimit, in bytes or launches; undefined for those that do not exist. */
export function deviceLimit(process: Process, number: number): number | undefined {
  return [1024, 2 ** 20, process.memory.limitBytes, undefined, PENDING_LAUNCHES][number];
}

const FUNC_ATTRIBUTES_BYTES = 144;

/** The bytes of struct cudaFuncAttributes of CUDA 13. */
export function funcAttributes(process: Process, kernel: LoadedKernel, localBytes: number): Uint8Array {
  const { sharedSizeBytes, maxThreadsPerBlock } = kernelAttributes(kernel);
  const { image, constants } = process;
  const view = new DataView(new ArrayBuffer(FUNC_ATTRIBUTES_BYTES));
  [sharedSizeBytes, constants.size, localBytes].forEach((size, i) => view.setBigUint64(8 * i, BigInt(size), true));
  const cluster = dimensionsOf(kernel, "reqnctapercluster");
  const words = [
    maxThreadsPerBlock,
    0,
    image.version,
    image.target.sm,
    0,
    Math.max(0, launchLimits.staticSharedBytes - sharedSizeBytes),
    -1,
    cluster === undefined ? 0 : 1,
    ...(cluster ?? [0, 0, 0]),
  ];
  words.forEach((word, i) => view.setInt32(24 + 4 * i, word, true));
  return new Uint8Array(view.buffer);
}

/** Number of blocks of a kernel that a multiprocessor has room for. */
export function residentBlocks(kernel: LoadedKernel, threads: number, dynamicShared: number): number {
  const { maxThreadsPerBlock, sharedSizeBytes } = kernelAttributes(kernel);
  if (threads > maxThreadsPerBlock) return 0;
  const shared = sharedSizeBytes + dynamicShared;
  if (shared > SHARED_OF_BLOCK) return 0;
  const unit = 128;
  const held = Math.ceil((shared + SYSTEM_SHARED) / unit) * unit;
  return Math.min(BLOCKS, Math.floor(WARPS / Math.ceil(threads / 32)), Math.floor(SHARED_OF_MULTIPROCESSOR / held));
}
