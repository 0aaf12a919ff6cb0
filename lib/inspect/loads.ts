// Answers "why does this not load on sm_X?": for each module of a file, the image that the driver would load on a device, or the
// reason why there is none. Rules: CUDA C++ programming guide, "Binary compatibility", "PTX compatibility",
// "Architecture-specific features".

import { family } from "../isa/targets.table.js";
import { parseTarget, type Target } from "../isa/requirement.js";
import { compilesFor } from "../link/model/targets.js";
import type { Inspection, LoadsView, ModuleLoad, LoadCandidate } from "./inspection.js";

/** Integrated GPUs (Jetson, DRIVE): their machine code is not compatible with that of other GPUs of the same major version. */
const INTEGRATED: ReadonlySet<number> = new Set([53, 62, 72, 87]);

/** The reason why machine code for `code` does not run on a device; undefined if it does. */
export function cubinRefusal(code: Target, sm: number): string | undefined {
  if (code.sm === sm) return undefined;
  if (code.suffix === "a") return `${code.name} code runs on sm_${code.sm} alone`;
  if (code.suffix === "f" && family(code.sm) !== family(sm)) return `${code.name} code runs on its family alone`;
  if (Math.floor(code.sm / 10) !== Math.floor(sm / 10)) return "machine code runs on its own major version alone";
  if (code.sm > sm) return `machine code for sm_${code.sm} needs a device of that version or later`;
  if (INTEGRATED.has(code.sm) !== INTEGRATED.has(sm)) return "code for integrated and for other GPUs does not mix";
  return undefined;
}

/** The reason why PTX for `code` cannot be compiled for a device; undefined if it can. */
export function ptxRefusal(code: Target, sm: number): string | undefined {
  if (compilesFor(code, { name: `sm_${sm}a`, sm, suffix: "a" })) return undefined;
  if (code.suffix === "a") return `${code.name} PTX compiles for sm_${code.sm} alone`;
  if (code.suffix === "f") return `${code.name} PTX compiles for later members of its family alone`;
  return `PTX for sm_${code.sm} needs a device of that version or later`;
}

/**
 * `elements` are the images of a file, or the file itself, each inspected with the view `kernels`. Images of one fatbin are
 * alternatives of one module; any other image is a module of its own.
 */
export function loadsView(elements: readonly Inspection[], sm: number): LoadsView {
  const modules = new Map<string, Inspection[]>();
  for (const element of elements) {
    const key = element.fatbin === undefined ? element.file : `${containerOf(element.file)}, fatbin ${element.fatbin}`;
    const images = modules.get(key) ?? [];
    if (images.length === 0) modules.set(key, images);
    images.push(element);
  }
  return {
    device: `sm_${sm}`,
    modules: [...modules].map(([module, images]) => moduleLoad(module, images, sm)).filter(hasKernels),
  };
}

const hasKernels = ({ kernels, missing }: ModuleLoad): boolean => kernels.length + missing.length > 0;

const containerOf = (name: string): string => name.replace(/\([^()]*\)$/, "");

/** Files that no driver loads, with the reason. */
const notLoaded: Readonly<Partial<Record<Inspection["kind"], string>>> = {
  "cubin-object": "it is a relocatable object: device linking (nvlink, nvcc -dlink) makes an image of it",
  "ptxkit-object": "it is ptxkit's: link --emit ptx makes PTX of it, which drivers load",
  "ptxkit-image": "it is ptxkit's, which drivers do not load: link --emit ptx makes PTX",
};

function moduleLoad(module: string, images: readonly Inspection[], sm: number): ModuleLoad {
  let best: { readonly image: Inspection; readonly kind: "cubin" | "ptx"; readonly rank: number } | undefined;
  const candidates = images.map((image): LoadCandidate => {
    const kind = image.kind === "ptx" || image.kind === "nvvm" ? "ptx" : "cubin";
    const target = parseTarget(image.target ?? "");
    if (target === undefined)
      return { name: image.file, kind, target: image.target ?? "unknown", refused: "its target is unknown" };
    const refused = notLoaded[image.kind] ?? (kind === "ptx" ? ptxRefusal : cubinRefusal)(target, sm);
    // Machine code precedes PTX; within each, a later target precedes an earlier one. For one target, suffix `a` precedes `f`,
    // and `f` precedes none.
    const rank = (kind === "cubin" ? 1_000_000 : 0) + 4 * target.sm + { "": 0, f: 1, a: 2 }[target.suffix];
    if (refused === undefined && (best === undefined || rank > best.rank)) best = { image, kind, rank };
    return { name: image.file, kind, target: target.name, ...(refused === undefined ? {} : { refused }) };
  });
  const all = new Set(images.flatMap(kernelNames));
  const chosen = best === undefined ? all : new Set(kernelNames(best.image));
  return {
    module,
    chosen: best === undefined ? null : { name: best.image.file, kind: best.kind },
    kernels: [...chosen],
    missing: [...all].filter((name) => !chosen.has(name)),
    candidates,
  };
}

const kernelNames = ({ kernels = [] }: Inspection): readonly string[] => kernels.map(({ name }) => name);
