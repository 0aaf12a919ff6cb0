// `run --gpu NAME`. A file of its own, because the models and the timing of launches are loaded only when asked for.

import { timedOn } from "../lib/report/timed.js";
import { findGpu, gpuModels } from "../lib/timing/gpus.js";
import { UsageError } from "./status.js";

/** Times launches on the GPU model of that name. Throws UsageError. */
export function timedOnGpu(name: string): ReturnType<typeof timedOn> {
  const model = findGpu(name);
  if (model !== undefined) return timedOn(model);
  throw new UsageError(
    `--gpu ${name}: there is no such model; there are ${gpuModels.map((each) => each.name).join(", ")}`,
  );
}
