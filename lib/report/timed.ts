// The `time` option of runSpec: a launch on a GPU model.

import type { Launch as RunningLaunch } from "../exec/launch.js";
import type { Launch } from "../load/launch-spec.js";
import type { LoadedKernel } from "../load/process.js";
import type { GpuModel } from "../timing/model.js";
import type { TimingResult } from "../timing/result.js";
import { timeLaunch } from "../timing/time-launch.js";

/** Times launches on `model`. */
export function timedOn(model: GpuModel): (launch: RunningLaunch, kernel: LoadedKernel, spec: Launch) => TimingResult {
  return (launch, kernel, spec) => timeLaunch(launch, kernel, spec, model);
}
