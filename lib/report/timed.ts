// The `time` option of runSpec and openDevice: launches on a GPU model.

import type { Launch as RunningLaunch } from "../exec/launch.js";
import type { LoadedKernel } from "../load/process.js";
import type { GpuModel } from "../timing/model.js";
import type { TimingResult } from "../timing/result.js";
import { type BlockShape, timeLaunch } from "../timing/time-launch.js";

/** Times launches on `model`. */
export function timedOn(
  model: GpuModel,
): (launch: RunningLaunch, kernel: LoadedKernel, shape: BlockShape) => TimingResult {
  return (launch, kernel, shape) => timeLaunch(launch, kernel, shape, model);
}
