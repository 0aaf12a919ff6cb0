// The number of blocks of each kernel of a cubin that an SM can hold, on every GPU model that loads the cubin
// (lib/timing/gpus/occupancy.ts).

import { parseTarget } from "../isa/requirement.js";
import { gpuModels } from "../timing/gpus/gpus.js";
import { occupancy } from "../timing/gpus/occupancy.js";
import type { FunctionView } from "./context/function-view.js";
import type { KernelOccupancy, GpuOccupancy } from "./inspection.js";
import { cubinRefusal } from "./loads.js";

/** Threads of a block if the kernel does not declare them. */
export const ASSUMED_THREADS = 256;

/** `target` is the cubin's target. Empty if no model loads it. */
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
