// Limits of a launch: those of the CUDA C++ programming guide, appendix "compute capabilities", which are the same for all
// targets that ptxkit knows, and those of the kernel's own directives (PTX ISA 9.0 section 11.4).

import type { Dimensions } from "../../base/dimensions.js";
import type { LoadedKernel } from "../../load/process.js";
import type { LaunchConfig } from "../state/result.js";

export const launchLimits = {
  threadsPerBlock: 1024,
  block: [1024, 1024, 64],
  grid: [2 ** 31 - 1, 65535, 65535],
  /** Static shared memory of a kernel, and the dynamic shared memory that it may have without requesting more. */
  staticSharedBytes: 48 * 1024,
} as const satisfies Record<string, number | Dimensions>;

/**
 * Maximum shared memory of a block in KiB (static and dynamic, without what the system reserves), from this SM number on. CUDA
 * C++ programming guide, appendix "compute capabilities"; targets older than sm_70 run only on newer GPUs, as sm_75.
 */
const SHARED_KIB: readonly (readonly [sm: number, kib: number])[] = [
  [0, 64],
  [70, 96],
  [75, 64],
  [80, 163],
  [86, 99],
  [87, 163],
  [89, 99],
  [90, 227],
  [120, 99],
];

/** Most bytes of shared memory in a block of the target. */
const sharedLimit = (sm: number): number => 1024 * SHARED_KIB.findLast(([since]) => since <= sm)![1];

/** Values of one of the kernel's directives, with 1 for missing dimensions; undefined without the directive. */
export function dimensionsOf(kernel: LoadedKernel, directive: string): Dimensions | undefined {
  const values = kernel.function.symbol.directives.find(({ name }) => name === directive)?.values ?? [];
  return values.length === 0 ? undefined : [values[0] ?? 1, values[1] ?? 1, values[2] ?? 1];
}

/** Blocks of a cluster, as required by the kernel (.reqnctapercluster) or requested by the launch. */
export function clusterSize(kernel: LoadedKernel, { cluster = [1, 1, 1] }: Pick<LaunchConfig, "cluster">): Dimensions {
  return dimensionsOf(kernel, "reqnctapercluster") ?? cluster;
}

/** Whether a grid consists of whole clusters. Other launches run their blocks singly, and `run` refuses them. */
export function isWholeClusters(grid: LaunchConfig["grid"], cluster: Dimensions): boolean {
  return cluster.every((size, i) => size >= 1 && grid[i]! % size === 0);
}

/** Shared memory of a block without the system's: what the kernel declares, followed by what the launch adds. */
export function sharedBytesOf(
  { info, systemSharedBytes }: Pick<LoadedKernel, "info" | "systemSharedBytes">,
  { sharedBytes }: Pick<LaunchConfig, "sharedBytes">,
): number {
  const dynamicOffset = Math.max(info.dynamicSharedOffset, systemSharedBytes);
  return Math.max(info.sharedBytes, dynamicOffset + sharedBytes) - systemSharedBytes;
}

const product = ([x, y, z]: Dimensions): number => x * y * z;
const text = (dimensions: Dimensions): string => dimensions.join(" x ");

/** Reason why the kernel cannot be launched with this configuration; undefined if it can. */
export function launchProblem(
  kernel: LoadedKernel,
  config: Pick<LaunchConfig, "grid" | "block" | "cluster" | "sharedBytes">,
): string | undefined {
  const { grid, block } = config;
  const most = launchLimits;
  if (block.some((size, i) => size > most.block[i]!))
    return `a block has at most ${text(most.block)} threads; this one has ${text(block)}`;
  if (product(block) > most.threadsPerBlock)
    return `a block has at most ${most.threadsPerBlock} threads; this one has ${product(block)} threads`;
  if (grid.some((size, i) => size > most.grid[i]!))
    return `a grid has at most ${text(most.grid)} blocks; this one has ${text(grid)}`;
  const shared = sharedBytesOf(kernel, config);
  const limit = sharedLimit(kernel.sm);
  if (shared > limit)
    return (
      `a block of sm_${kernel.sm} has at most ${limit} bytes of shared memory; this one would have ${shared}: ` +
      `${shared - config.sharedBytes} that kernel '${kernel.name}' declares, and ${config.sharedBytes} that the launch asks for`
    );
  const required = dimensionsOf(kernel, "reqntid");
  if (required !== undefined && required.some((size, i) => size !== block[i]))
    return `kernel '${kernel.name}' declares .reqntid: its blocks have ${text(required)} threads, not ${text(block)}`;
  const allowed = dimensionsOf(kernel, "maxntid");
  if (allowed !== undefined && product(block) > product(allowed))
    return `kernel '${kernel.name}' declares .maxntid: its blocks have at most ${product(allowed)} threads, not ${product(block)}`;
  const cluster = clusterSize(kernel, config);
  if (kernel.addressBits === 32 && product(cluster) > 1)
    return `clusters need addresses of 64 bits; kernel '${kernel.name}' is in an image of 32-bit modules`;
  return isWholeClusters(grid, cluster)
    ? undefined
    : `a grid of ${text(grid)} blocks cannot be divided into clusters of ${text(cluster)}`;
}
