// The `time` option of runSpec and openDevice: launches on a GPU model.

import { checkOptions, describe, type OptionKinds } from "../base/known-options.js";
import { withTurns } from "../base/steps.js";
import type { Launch as RunningLaunch } from "../exec/launch/launch.js";
import type { LoadedKernel } from "../load/process.js";
import type { EventOptions } from "../timing/sm/events.js";
import { createDeviceMemory } from "../timing/memory/memory.js";
import type { GpuModel } from "../timing/gpus/model.js";
import type { TimingResult } from "../timing/result/result.js";
import { type BlockShape, type KernelFacts, timeLaunch } from "../timing/time-launch.js";

/** Options of timed launches. */
export interface TimedOptions {
  /**
   * Whether the L2 keeps its contents between launches, as in a program; true by default. It is cold at the first launch; L1 is
   * cold at the start of every launch.
   */
  readonly warm?: boolean;
  /** Records what warps of some SMs do, for a trace: `events` of each result. The limit applies to all launches together. */
  readonly events?: EventOptions;
  /** Kernel properties from cubins, by name (cubinFacts); the registers of other kernels are estimated. */
  readonly kernels?: ReadonlyMap<string, KernelFacts>;
}

const timedOptions: OptionKinds<TimedOptions> = { warm: "flag", events: "object", kernels: "object" };

/** Times launches on `model`; the host's event loop runs in between. */
export function timedOn(
  model: GpuModel,
  options: TimedOptions = {},
): (launch: RunningLaunch, kernel: LoadedKernel, shape: BlockShape) => Promise<TimingResult> {
  if (typeof model !== "object" || model === null || !("sms" in model))
    throw new RangeError(`timedOn: a model, such as findGpu("h200"), is expected, not ${describe(model)}`);
  checkOptions(options, timedOptions, "timedOn");
  const { warm = true, events, kernels } = options;
  const memory = warm ? createDeviceMemory(model) : undefined;
  let left = events?.limit ?? 0;
  return async (launch, kernel, shape) => {
    const timing = await withTurns(
      timeLaunch(launch, kernel, shape, model, {
        ...(memory === undefined ? {} : { memory }),
        ...(events === undefined ? {} : { events: { ...events, limit: left } }),
        ...kernels?.get(kernel.name),
      }),
    );
    left = Math.max(0, left - (timing.events?.spans.length ?? 0));
    return timing;
  };
}
