// Derives options for compiling NVVM IR from a link's other inputs. Separate from the options, which every command loads.

import { planNvvm } from "../../lib/link/inputs/nvvm-plan.js";
import { isNvvm } from "../../lib/nvvm/recognise.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";
import type { Source } from "../../lib/ptx/source-text.js";
import type { CommonOptions } from "../options/common.js";
import type { Host } from "../files/host.js";
import { fileOf, type PlacedInput } from "../inputs/placed-inputs.js";
import { orNothing } from "../files/source-parts.js";

/**
 * The options of a link, with `nvvmPlan`, which derives those for NVVM IR from the inputs when the first such module is compiled.
 */
export function withNvvmPlan<T extends CommonOptions>(options: T, placed: readonly PlacedInput[], host: Host): T {
  const { arch, nvvm } = options;
  const given: NvvmOptions = { ...nvvm, ...(arch === undefined ? {} : { arch }) };
  let made: NvvmOptions | undefined;
  return { ...options, nvvmPlan: () => (made ??= planNvvm(sourcesOf(placed, host), given)) };
}

/**
 * The inputs that can be read twice: those that are linked in any case, and NVVM IR after --start-lib, which may contain
 * annotations.
 */
function* sourcesOf(placed: readonly PlacedInput[], host: Host): Generator<Source> {
  for (const each of placed) {
    const file = fileOf(each);
    if (file === undefined || host.sizeOf(file) === undefined) continue;
    const bytes = orNothing(() => host.read(file));
    if (bytes !== undefined && (!each.isLazy || isNvvm(bytes))) yield { name: file, bytes };
  }
}
