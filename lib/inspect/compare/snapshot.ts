// Snapshots for the comparison of two builds. For each image inside a file they have its functions with their resources and
// properties, the contents of its variables, and its relocations by name. They exclude everything that may change without a
// change of meaning: section offsets, build IDs, notes, symbol order.

import { hasFileBytes, readElf } from "../../../formats/elf/index.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { recognise, type FileKind } from "../../link/inputs/recognise.js";
import type { ReadFile } from "../../link/inputs/archive.js";
import { decodeObject } from "../../object/file/read.js";
import type { Source } from "../../ptx/source-text.js";
import { contentKey } from "../context/content-key.js";
import { createDemangler } from "../context/demangler.js";
import { createElfContext, type ElfContext } from "../context/elf-context.js";
import type { FunctionView } from "../context/function-view.js";
import { inspectModule } from "../inspect-module.js";
import { kernelsView } from "../views/kernels.js";
import { ownKernelsView } from "../views/kernels-own.js";
import { layoutView, ownLayoutView } from "../views/layout.js";
import { relocationTableViews } from "../views/relocations.js";
import { resourcesView } from "../views/resources.js";
import { sizesView } from "../views/sizes.js";
import { nameOf } from "../context/values.js";
import { elementsOf } from "../parts/walk.js";

/** A property of a function: a number that may have a limit, or text. */
export type Property = number | string;

export interface FunctionSnapshot {
  readonly name: string;
  readonly demangled?: string;
  readonly isKernel: boolean;
  readonly properties: ReadonlyMap<string, Property>;
}

export interface ImageSnapshot {
  /** The key by which images are matched: "sm_90 cubin"; in an archive the member precedes it. */
  readonly key: string;
  readonly functions: ReadonlyMap<string, FunctionSnapshot>;
  /** Variables: size in bytes, and a key of their contents. */
  readonly data: ReadonlyMap<string, { readonly bytes: number; readonly content: string }>;
  /** Relocations of each section: "offset type symbol+addend", in order. */
  readonly relocations: ReadonlyMap<string, readonly string[]>;
}

/** Snapshots of every image in a file, or of the file itself if it is an image. */
export function snapshotsOf(source: Source, sink: DiagnosticSink, readFile?: ReadFile): readonly ImageSnapshot[] {
  const kind = recognise(source.bytes);
  if (isImage(kind)) return [snapshotOf(source, kind, "", undefined, sink)].flatMap((found) => found ?? []);
  const found: ImageSnapshot[] = [];
  for (const { name, bytes, kind, path, entry } of elementsOf(source, sink, readFile)) {
    if (bytes === undefined || kind === null || !isImage(kind)) continue;
    const around = (entry === undefined ? path : path.slice(0, -1)).map((part) => `${part} `).join("");
    const image = snapshotOf({ name, bytes }, kind, around, entry?.target, sink);
    if (image !== undefined) found.push(unique(found, image));
  }
  return found;
}

type ImageKind = "ptx" | "nvvm" | "bitcode" | "ptxkit" | "cubin";

const isImage = (kind: FileKind): kind is ImageKind =>
  kind === "ptx" || kind === "nvvm" || kind === "bitcode" || kind === "ptxkit" || kind === "cubin";

/** Makes the key unique: the second image of a target is "sm_90 cubin 2". */
function unique(taken: readonly ImageSnapshot[], image: ImageSnapshot): ImageSnapshot {
  const same = taken.filter(({ key }) => key === image.key || key.startsWith(`${image.key} `)).length;
  return same === 0 ? image : { ...image, key: `${image.key} ${same + 1}` };
}

function snapshotOf(
  source: Source,
  kind: ImageKind,
  around: string,
  target: string | undefined,
  sink: DiagnosticSink,
): ImageSnapshot | undefined {
  if (kind === "ptxkit" || kind === "cubin") return elfSnapshot(source, kind, around, target, sink);
  const { inspection } = inspectModule(source, kind, { views: ["kernels"] }, sink);
  if (inspection === undefined) return undefined;
  const { kernels = [], functions = [] } = inspection;
  return {
    key: `${around}${target ?? inspection.target ?? ""} ${kind === "ptx" ? "PTX" : "NVVM IR"}`,
    functions: functionsBy(kernels, functions, () => []),
    data: new Map(),
    relocations: new Map(),
  };
}

function elfSnapshot(
  source: Source,
  kind: "ptxkit" | "cubin",
  around: string,
  target: string | undefined,
  sink: DiagnosticSink,
): ImageSnapshot | undefined {
  const { name, bytes } = source;
  const read = readElf(bytes);
  if (!read.ok) {
    sink.report("malformed-file", read.error.what, { kind: "bytes", file: name, offset: read.error.offset });
    return undefined;
  }
  const demangle = createDemangler(undefined);
  const context = createElfContext(read.value, name, sink, demangle);
  const object = kind === "ptxkit" ? context.accept(decodeObject(bytes, name)) : undefined;
  const view = object === undefined ? kernelsView(context) : ownKernelsView(object, demangle);
  const resources = kind === "cubin" ? resourcesView(context, view).functions : [];
  const sizes = new Map(sizesView(context, bytes.length).functions.map((one) => [one.name, one]));
  const extra = (name: string): readonly (readonly [string, Property])[] => {
    const used = resources.find((one) => one.name === name);
    const size = sizes.get(name);
    return [
      ...(used === undefined
        ? []
        : ([
            ["stack", used.stackBytes],
            ["shared", used.sharedBytes],
            ["local", used.localBytes],
            ...used.constants.map(({ bank, bytes }) => [`constant bank ${bank}`, bytes] as const),
          ] as const)),
      ...(size === undefined ? [] : [["content", size.contentKey] as const]),
    ];
  };
  const sm = context.cuda?.sm;
  return {
    key: `${around}${target ?? object?.target.name ?? (sm === undefined ? "" : `sm_${sm}`)} ${kind}`,
    functions: functionsBy(view.kernels, view.functions, extra),
    data: dataOf(context, object === undefined ? layoutView(context) : ownLayoutView(object, demangle)),
    relocations: relocationsOf(context),
  };
}

/** Relocations of code and data. Those of debug sections and second copies change with any change of the code. */
function relocationsOf(context: ElfContext): ImageSnapshot["relocations"] {
  const tables = relocationTableViews(context).map(({ section, target, relocations }) => ({
    name: target?.name ?? section.name,
    relocations,
  }));
  return new Map(
    tables
      .filter(({ name }) => !/^\.(?:debug_|nv_debug_|nv\.(?:cap)?merc)/.test(name))
      .map(({ name, relocations }) => [
        name,
        relocations.map(
          ({ offset, type, symbol, addend }) =>
            `${offset.hex} ${nameOf(type)} ${symbol.name}${addend.value === 0 ? "" : `+${addend.hex}`}`,
        ),
      ]),
  );
}

function functionsBy(
  kernels: readonly FunctionView[],
  functions: readonly FunctionView[],
  extra: (name: string) => readonly (readonly [string, Property])[],
): ReadonlyMap<string, FunctionSnapshot> {
  const snapshot = (view: FunctionView, isKernel: boolean): FunctionSnapshot => ({
    name: view.name,
    ...(view.demangled === undefined ? {} : { demangled: view.demangled }),
    isKernel,
    properties: new Map([...propertiesOf(view), ...extra(view.name)]),
  });
  // The first function of a name counts, and kernels come first; a map would keep the last.
  const all = [...kernels.map((view) => snapshot(view, true)), ...functions.map((view) => snapshot(view, false))];
  return new Map(all.toReversed().map((one) => [one.name, one]));
}

function propertiesOf(view: FunctionView): readonly (readonly [string, Property])[] {
  const { parameters, maxThreads, requiredThreads, clusterBlocks, directives, returns } = view;
  const known = {
    linkage: view.linkage,
    registers: view.registers,
    "register limit": view.maxRegisters,
    barriers: view.barriers,
    code: view.codeBytes,
    instructions: view.instructions,
    shared: view.sharedBytes,
    frame: view.frameBytes,
    parameters: parameters.map(({ offset, size }) => `${offset}:${size}`).join(" "),
    "parameter pointers": parameters
      .flatMap(({ ordinal, pointer }) => (pointer ? [`${ordinal} ${pointer.space}`] : []))
      .join(", "),
    returns: returns?.join(" "),
    "most threads": maxThreads?.join(" x "),
    "required threads": requiredThreads?.join(" x "),
    cluster: clusterBlocks?.join(" x "),
    directives: directives?.join(" "),
    calls: [...view.calls].sort().join(" "),
    undefined: [...view.externs].sort().join(" "),
  } satisfies Record<string, Property | undefined>;
  return Object.entries(known).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] as const],
  );
}

function dataOf(context: ElfContext, { memories }: ReturnType<typeof layoutView>): ImageSnapshot["data"] {
  const { header, sections } = context.file;
  const found = new Map<string, { readonly bytes: number; readonly content: string }>();
  for (const { section: name, variables } of memories) {
    const section = sections.find((one) => one.name === name);
    for (const { name, offset, size } of variables) {
      const isStored = section !== undefined && offset !== undefined && hasFileBytes(header.machine, section.type);
      const bytes = isStored ? section.data.subarray(offset, offset + size) : new Uint8Array();
      found.set(name, { bytes: size, content: contentKey([bytes]) });
    }
  }
  return found;
}
