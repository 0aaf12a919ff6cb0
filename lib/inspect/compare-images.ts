// Compares the images of one fatbin: they should have the same kernels, with the same parameters, launch bounds, shared memory
// and constants. They are one program for several architectures, of which a driver loads one. A difference is often a mistake (a
// kernel behind #if __CUDA_ARCH__, a stale entry). The reference is the latest PTX or, without PTX, the first cubin.

import type { FunctionView } from "./context/function-view.js";
import type { Inspection, ImageComparison, ImageFinding } from "./inspection.js";

const isText = ({ kind }: Inspection): boolean => kind === "ptx" || kind === "nvvm";

/**
 * Compares `elements`, which were inspected with the views kernels and resourceUsage. A fatbin with one image has nothing to
 * compare.
 */
export function compareImages(elements: readonly Inspection[]): readonly ImageComparison[] {
  const modules = new Map<string, Inspection[]>();
  for (const element of elements) {
    if (element.fatbin === undefined || element.kernels === undefined) continue;
    const key = `${element.file.replace(/\([^()]*\)$/, "")}, fatbin ${element.fatbin}`;
    const images = modules.get(key) ?? [];
    if (images.length === 0) modules.set(key, images);
    images.push(element);
  }
  return [...modules].flatMap(([module, images]) => (images.length < 2 ? [] : [compare(module, images)]));
}

function compare(module: string, images: readonly Inspection[]): ImageComparison {
  const reference = images.findLast(isText) ?? images[0]!;
  const others = images.filter((image) => image !== reference);
  const all = new Map(images.flatMap(({ kernels = [] }) => kernels.map((kernel) => [kernel.name, kernel] as const)));
  const findings = [
    ...[reference, ...others].flatMap((image) => missing(image, all, reference === image ? others[0]! : reference)),
    ...others.flatMap((image) => differences(image, reference)),
    ...cubinDifferences(images.filter((image) => !isText(image))),
  ];
  return { module, images: [reference, ...others].map(({ file }) => file), kernels: all.size, findings };
}

function missing(
  image: Inspection,
  all: ReadonlyMap<string, FunctionView>,
  reference: Inspection,
): readonly ImageFinding[] {
  const known = new Set(image.kernels!.map(({ name }) => name));
  return [...all.values()]
    .filter(({ name }) => !known.has(name))
    .map((kernel) => finding(kernel, "missing", image, reference, "is not in this image"));
}

function finding(
  { name, demangled }: FunctionView,
  what: string,
  image: Inspection,
  reference: Inspection,
  message: string,
): ImageFinding {
  const named = demangled === undefined ? { kernel: name } : { kernel: name, demangled };
  return { ...named, what, image: image.file, reference: reference.file, message };
}

/** The properties of a kernel that must be equal in PTX and machine code, as text. */
const properties: readonly { readonly what: string; readonly text: (kernel: FunctionView) => string }[] = [
  {
    what: "parameters",
    text: ({ parameters, parameterBytes = 0 }) =>
      `${parameters.length} parameters, ${parameterBytes} bytes: ${parameters.map(({ offset, size }) => `${size} at ${offset}`).join(", ")}`,
  },
  {
    what: "launch-bounds",
    text: ({ maxThreads, requiredThreads, clusterBlocks, maxClusterRank }) =>
      [
        ...(requiredThreads === undefined ? [] : [`.reqntid ${requiredThreads.join(", ")}`]),
        // Only without .reqntid: ptxas writes one for the other.
        ...(maxThreads === undefined || requiredThreads !== undefined ? [] : [`.maxntid ${maxThreads.join(", ")}`]),
        ...(clusterBlocks === undefined ? [] : [`.reqnctapercluster ${clusterBlocks.join(", ")}`]),
        ...(maxClusterRank === undefined ? [] : [`.maxclusterrank ${maxClusterRank}`]),
      ].join("; ") || "none",
  },
];

function differences(image: Inspection, reference: Inspection): readonly ImageFinding[] {
  const known = new Map(reference.kernels!.map((kernel) => [kernel.name, kernel]));
  return image.kernels!.flatMap((kernel) => {
    const other = known.get(kernel.name);
    if (other === undefined) return [];
    return properties.flatMap(({ what, text }) => {
      const [here, there] = [text(kernel), text(other)];
      return here === there ? [] : [finding(kernel, what, image, reference, `${here}; in ${reference.file} ${there}`)];
    });
  });
}

/** Differences of properties that only machine code has: the sizes of static shared memory and of the module's constants. */
function cubinDifferences(cubins: readonly Inspection[]): readonly ImageFinding[] {
  const [first, ...others] = cubins;
  if (first === undefined) return [];
  const sharedOf = (image: Inspection): ReadonlyMap<string, number> =>
    new Map(image.resourceUsage?.functions.map(({ name, sharedBytes }) => [name, sharedBytes]));
  const constants = ({ resourceUsage }: Inspection): number | undefined =>
    resourceUsage?.constants.find(({ bank }) => bank === CONST_VARIABLES)?.bytes;
  const shared = sharedOf(first);
  return others.flatMap((image) => {
    const own = sharedOf(image);
    const kernels = image.kernels!.flatMap((kernel) => {
      const [here, there] = [own.get(kernel.name), shared.get(kernel.name)];
      if (here === undefined || there === undefined || here === there) return [];
      return [finding(kernel, "shared", image, first, `${here} bytes; in ${first.file} ${there} bytes`)];
    });
    const [here = 0, there = 0] = [constants(image), constants(first)];
    const message = `${here} bytes of .const variables; in ${first.file} ${there} bytes`;
    return here === there
      ? kernels
      : [...kernels, { what: "constants", image: image.file, reference: first.file, message }];
  });
}

/** The bank of `.const` variables. */
const CONST_VARIABLES = 3;
