// Locates NVIDIA's libdevice, for the message about an undefined function of it. It is linked only on request.

import { once } from "../../lib/base/once.js";
import type { Host } from "../files/host.js";
import type { Suggestion } from "../../lib/link/model/suggestion.js";

const FILE = "nvvm/libdevice/libdevice.10.bc";

/** Folders of CUDA: environment variables that name it, and the installers' defaults. */
const variables = ["CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"];
const folders = ["/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda", "/usr/lib/nvidia-cuda-toolkit"];

/** Names of NVIDIA's mathematical functions, which libdevice defines. */
const isLibdeviceName = (name: string): boolean => name.startsWith("__nv_");

function findLibdevice({ environment, exists }: Pick<Host, "environment" | "exists">): string | undefined {
  const named = variables.flatMap((name) => environment[name] ?? []).filter((folder) => folder !== "");
  return [...named, ...folders].map((folder) => `${folder}/${FILE}`).find(exists);
}

/** Returns the remedy for an undefined name of libdevice; undefined for other names. */
export function libdeviceSuggester(
  host: Pick<Host, "environment" | "exists">,
): (name: string) => Suggestion | undefined {
  const found = once(() => findLibdevice(host));
  return (name) => {
    if (!isLibdeviceName(name)) return undefined;
    const where = found();
    return {
      notes: where === undefined ? [] : [{ message: `there is a libdevice at ${where}` }],
      remedy: `names in __nv_* are those of NVIDIA's libdevice: give ${where ?? "libdevice.10.bc"} as an input, too${
        where === undefined ? "; every CUDA toolkit contains it in nvvm/libdevice" : ""
      }`,
    };
  };
}
