// ptxkit gpus: the GPU models that --gpu knows, and where their numbers come from.

import { describeGpus, gpusText, gpuText } from "../../lib/report/gpus-text.js";
import { ansiStyler, plainStyler } from "../../lib/report/style.js";
import { gpuModels } from "../../lib/timing/gpus/gpus.js";
import { inSession, type CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { status, UsageError, type Status } from "../base/status.js";

export interface GpusOptions extends CommonOptions {
  readonly json?: boolean;
}

export function gpus(name: string | undefined, options: GpusOptions, host: Host): Promise<Status> {
  return inSession(host, options, (session) => {
    const described = describeGpus(name);
    if (described.length === 0)
      throw new UsageError(`there is no model '${name}'`, `there are ${gpuModels.map((each) => each.name).join(", ")}`);
    const how = { width: host.outColumns, style: session.outColor ? ansiStyler : plainStyler };
    if (options.json === true) host.out(`${JSON.stringify(described)}\n`);
    else for (const line of name === undefined ? gpusText(how) : gpuText(described[0]!, how)) host.out(`${line}\n`);
    return Promise.resolve(status.done);
  });
}
