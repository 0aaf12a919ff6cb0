// The `time` option of runSpec and openDevice: launches on a GPU model.

import { withTurns } from "../base/steps.js";
import type { Launch as RunningLaunch } from "../exec/launch.js";
import type { LoadedKernel } from "../load/process.js";
import { createDeviceMemory } from "../timing/memory.js";
import type { GpuModel } from "../timing/model.js";
import type { TimingResult } from "../timing/result.js";
import { type BlockShape, timeLaunch } from "../timing/time-launch.js";

export interface TimedOptions {
  /** The L2 keeps what launches before left there; cold before each launch unless given. L1 is always cold. */
  readonly warm?: boolean;
}

/** Times launches on `model`; the host's event loop has its turns meanwhile. */
export function timedOn(
  model: GpuModel,
  { warm = false }: TimedOptions = {},
): (launch: RunningLaunch, kernel: LoadedKernel, shape: BlockShape) => Promise<TimingResult> {
  const kept = warm ? { memory: createDeviceMemory(model) } : {};
  return (launch, kernel, shape) => withTurns(timeLaunch(launch, kernel, shape, model, kept));
}
