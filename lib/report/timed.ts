// Runs a launch on a GPU model: connects an engine's launch with the timing model, which asks for blocks as it has room.

import type { Launch as RunningLaunch } from "../exec/launch.js";
import type { Launch } from "../load/launch-spec.js";
import type { LoadedKernel } from "../load/process.js";
import type { GpuModel } from "../timing/model.js";
import type { TimingResult } from "../timing/result.js";
import { timeLaunch } from "../timing/time-launch.js";

/** The `time` option of runSpec. */
export function timedOn(model: GpuModel): (launch: RunningLaunch, kernel: LoadedKernel, spec: Launch) => TimingResult {
  return (launch, kernel, { block, sharedBytes }) => {
    const { info } = kernel;
    return timeLaunch(
      {
        kernel: kernel.function.code,
        blocks: launch.blocks,
        threadsPerBlock: block[0] * block[1] * block[2],
        sharedBytes: Math.max(info.sharedBytes, sharedBytes === 0 ? 0 : info.dynamicSharedOffset + sharedBytes),
        runBlock: (index, observer) => {
          launch.runBlock(index, observer);
          return !launch.faulted;
        },
      },
      model,
    );
  };
}
