// How many blocks of each kernel of a cubin an SM holds, on every GPU model that loads the cubin (lib/timing/occupancy.ts).

import { parseTarget } from "../isa/requirement.js";
import { gpuModels } from "../timing/gpus.js";
import { occupancy, type OccupancyLimit } from "../timing/occupancy.js";
import type { FunctionView } from "./function-view.js";
import { cubinRefusal } from "./loads.js";

export interface GpuOccupancy {
  /** As --gpu names it. */
  readonly gpu: string;
  /** Blocks and warps on an SM; 0 when not even one block fits. */
  readonly blocks: number;
  readonly warps: number;
  /** Warps as a share of those that an SM holds, 0 to 1. */
  readonly share: number;
  readonly limitedBy: OccupancyLimit;
}

export interface KernelOccupancy {
  readonly name: string;
  readonly demangled?: string;
  /** Threads of a block: of .reqntid, of .maxntid, or assumed. */
  readonly threads: number;
  readonly threadsFrom: "required" | "most" | "assumed";
  /** Per thread; null where the file does not say. */
  readonly registers: number | null;
  /** Static shared memory of a block, bytes. A launch may add dynamic memory. */
  readonly sharedBytes: number;
  readonly gpus: readonly GpuOccupancy[];
}

/** Threads of a block where the kernel does not say. */
export const ASSUMED_THREADS = 256;

/** `target`: of the cubin. Empty where no model loads it. */
export function occupancyView(
  kernels: readonly FunctionView[],
  target: string | undefined,
): readonly KernelOccupancy[] {
  const code = target === undefined ? undefined : parseTarget(target);
  const models =
    code === undefined
      ? []
      : gpuModels.filter(({ computeCapability }) => cubinRefusal(code, computeCapability) === undefined);
  return kernels.map((kernel) => {
    const { name, demangled, registers = 0, sharedBytes = 0, reservedSharedBytes = 0 } = kernel;
    const block = blockOf(kernel);
    const shared = sharedBytes - reservedSharedBytes;
    return {
      name,
      ...(demangled === undefined ? {} : { demangled }),
      ...block,
      registers: kernel.registers ?? null,
      sharedBytes: shared,
      gpus: models.map((model): GpuOccupancy => {
        const found = occupancy(model, { threads: block.threads, registers, sharedBytes: shared });
        const { blocks, warps, share, limitedBy } = found;
        return { gpu: model.name, blocks, warps, share, limitedBy };
      }),
    };
  });
}

function blockOf({ requiredThreads, maxThreads }: FunctionView): Pick<KernelOccupancy, "threads" | "threadsFrom"> {
  const count = (extents: readonly number[]): number => extents.reduce((product, extent) => product * extent, 1);
  if (requiredThreads !== undefined) return { threads: count(requiredThreads), threadsFrom: "required" };
  if (maxThreads !== undefined) return { threads: count(maxThreads), threadsFrom: "most" };
  return { threads: ASSUMED_THREADS, threadsFrom: "assumed" };
}
