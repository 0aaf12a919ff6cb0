// What the inputs beside NVVM IR say of how it is compiled. Apart from the options, because every command reads those.

import { planNvvm } from "../lib/link/inputs/nvvm-plan.js";
import { isNvvm } from "../lib/nvvm/recognise.js";
import type { NvvmOptions } from "../lib/nvvm/options.js";
import type { Source } from "../lib/ptx/source-text.js";
import type { CommonOptions } from "./common.js";
import type { Host } from "./host.js";
import { fileOf, type PlacedInput } from "./placed-inputs.js";
import { orNothing } from "./source-parts.js";

/** The options of a link, with what its inputs say of NVVM IR among them: found out once there is some. */
export function withNvvmPlan<T extends CommonOptions>(options: T, placed: readonly PlacedInput[], host: Host): T {
  const { arch, nvvm } = options;
  const given: NvvmOptions = { ...nvvm, ...(arch === undefined ? {} : { arch }) };
  let made: NvvmOptions | undefined;
  return { ...options, nvvmPlan: () => (made ??= planNvvm(sourcesOf(placed, host), given)) };
}

/** The files that can be read twice: those that are taken in any case, and NVVM IR behind --start-lib, which may annotate. */
function* sourcesOf(placed: readonly PlacedInput[], host: Host): Generator<Source> {
  for (const each of placed) {
    const file = fileOf(each);
    if (file === undefined || host.sizeOf(file) === undefined) continue;
    const bytes = orNothing(() => host.read(file));
    if (bytes !== undefined && (!each.isLazy || isNvvm(bytes))) yield { name: file, bytes };
  }
}
