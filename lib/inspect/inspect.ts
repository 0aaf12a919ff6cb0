// The inspector: reads a file and returns its views as one plain value (inspection.ts). Faults of the file are reported to the
// sink with their offsets; readable parts are still shown. A view of a container is the view of all files inside.

import type { FormatError } from "../../formats/bytes/result.js";
import { readElf } from "../../formats/elf/index.js";
import { holdsFatbins } from "../../formats/fatbin/index.js";
import { checkOptions, type OptionKinds } from "../base/known-options.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { readEmbedded } from "../link/inputs/embedded.js";
import { recognise, kindText, type FileKind } from "../link/inputs/recognise.js";
import type { Source } from "../ptx/source-text.js";
import { createBudget, type Budget } from "./context/budget.js";
import { compareImages } from "./compare-images.js";
import { inspectElf, isDamagedSince } from "./inspect-elf.js";
import { inspectModule } from "./inspect-module.js";
import {
  CUBIN_VIEWS,
  HOST_VIEWS,
  MODULE_VIEWS,
  OWN_VIEWS,
  type Inspection,
  type InspectOptions,
  type InspectedKind,
  type InspectResult,
  type ViewName,
} from "./inspection.js";
import { listInside } from "./parts/list.js";
import { loadsView } from "./loads.js";
import { isSelected, isSelective } from "./parts/selection.js";
import { containerSizes } from "./sizes.js";
import { verifyInside } from "./verify/verify-inside.js";
import { archiveView } from "./views/archive.js";
import { fatbinViews, MAX_TRIED_BYTES } from "./views/entries.js";
import { hostHexViews, readHostFile, type HostFile } from "./views/host.js";
import { elementsOf } from "./parts/walk.js";

const inspectOptions: OptionKinds<InspectOptions> = {
  views: "texts",
  hex: "texts",
  functions: "texts",
  loadsOn: "count",
  selection: "object",
  occupancyOf: "function",
  comparesImages: "flag",
  lists: "flag",
  demangle: "function",
  verify: "flag",
  witness: "function",
  readFile: "function",
};

/** Inspects a file of any format that `ptxkit inspect` knows. A malformed file is reported and may give no inspection. */
export function inspectFile(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  checkOptions(options, inspectOptions, "inspectFile");
  const { loadsOn, lists = false, comparesImages = false } = options;
  if (comparesImages) return compareIn(source, options, sink);
  if (lists) return listFile(source, options, sink);
  if (loadsOn === undefined) return inspectViews(source, options, sink);
  const result = inspectViews(source, { ...options, views: ["kernels"] }, sink);
  if (result.kind !== "inspected") return result;
  const { elements, ...whole } = result.inspection;
  const { file, kind, size, damaged, shortened } = whole;
  const loads = loadsView(elements ?? [whole], loadsOn);
  return { kind: "inspected", inspection: { file, kind, size, damaged, shortened, loads } };
}

/** Compares the images of each fatbin in a file with each other. */
function compareIn(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  const views = ["kernels", "resourceUsage"] as const;
  const result = inspectViews(source, { ...options, views: holdsPtx(source) ? ["kernels"] : views }, sink);
  if (result.kind !== "inspected") return result;
  const { elements = [], file, kind, size, damaged, shortened } = result.inspection;
  return { kind: "inspected", inspection: { file, kind, size, damaged, shortened, images: compareImages(elements) } };
}

/**
 * Whether the file is PTX or is compiled from it without machine code: it has no GPU machine code and contains no other files.
 */
const holdsPtx = ({ bytes }: Source): boolean => ["ptx", "nvvm", "bitcode", "ptxkit"].includes(recognise(bytes));

/** The kind of a file, and the names of the files inside. */
function listFile(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  const before = sink.all.length;
  const kind = listedKind(source, sink);
  if (kind === undefined) return { kind: "refused" };
  const list = listInside(source, sink, options.readFile, options.selection ?? {});
  const damaged = isDamagedSince(sink, before);
  const { name: file, bytes } = source;
  return { kind: "inspected", inspection: { file, kind, size: bytes.length, damaged, shortened: false, list } };
}

function listedKind(source: Source, sink: DiagnosticSink): InspectedKind | undefined {
  const kind = recognise(source.bytes);
  if (kind === "archive" || kind === "fatbin") return kind;
  if (kind === "pe" || kind === "mach-o") {
    const read = readHostFile(source.bytes, kind, createBudget());
    if (read.ok) return read.value.kind;
    const { offset, what } = read.error;
    sink.report("malformed-file", what, { kind: "bytes", file: source.name, offset });
    return undefined;
  }
  const isHost = kind === "host-elf";
  const options = { views: holdsPtx(source) ? (["kernels"] as const) : (["header"] as const) };
  const result = isHost
    ? inspectElf(source, kind, { ...options, isContainer: true }, sink)
    : inspectViews(source, options, sink);
  return result.inspection?.kind;
}

function inspectViews(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  const kind = recognise(source.bytes);
  switch (kind) {
    case "ptx":
    case "nvvm":
    case "bitcode":
      return inspectModule(source, kind, options, sink);
    case "ptxkit":
    case "cubin":
    case "host-elf":
      return kind === "host-elf" ? inspectHost(source, options, sink) : inspectElf(source, kind, options, sink);
    case "archive":
    case "fatbin":
    case "pe":
    case "mach-o":
      return inspectContainer(source, kind, options, sink);
    case "lto-ir":
    case "npy":
    case "empty":
    case "unknown":
      sink.report("unknown-format", `${source.name} is ${kindText(kind)}: there is nothing to inspect`, {
        kind: "bytes",
        file: source.name,
        offset: 0,
      });
      return { kind: "refused" };
  }
}

/** The views of a container's elements, by kind; other elements have none. */
const elementViews: Readonly<Partial<Record<FileKind, readonly ViewName[]>>> = {
  ptx: MODULE_VIEWS,
  nvvm: MODULE_VIEWS,
  bitcode: MODULE_VIEWS,
  ptxkit: OWN_VIEWS,
  cubin: CUBIN_VIEWS,
  "host-elf": HOST_VIEWS,
};

/** The views of everything inside a container; elements without any of them are skipped. */
function elementsIn(
  source: Source,
  { views, hex, functions, demangle, readFile, selection = {}, occupancyOf }: InspectOptions,
  budget: Budget,
  sink: DiagnosticSink,
): readonly Inspection[] {
  const found: Inspection[] = [];
  for (const element of elementsOf(source, sink, readFile)) {
    const { name, offset, kind, bytes, entry, fatbin } = element;
    if (!isSelected(element, selection)) continue;
    const known = kind === null ? [] : (elementViews[kind] ?? []);
    const wanted = views.filter((view) => known.includes(view));
    const isElf = known.includes("sections");
    if (bytes === undefined || budget.isExhausted || (wanted.length === 0 && !(isElf && hex !== undefined))) continue;
    const inner = { name, bytes };
    const options = {
      views: wanted,
      ...(isElf && hex !== undefined ? { hex } : {}),
      ...(functions === undefined ? {} : { functions }),
      ...(demangle === undefined ? {} : { demangle }),
      ...(occupancyOf === undefined ? {} : { occupancyOf }),
    };
    const { inspection } =
      kind === "ptx" || kind === "nvvm" || kind === "bitcode"
        ? inspectModule(inner, kind, options, sink)
        : inspectElf(inner, kind!, { ...options, isContainer: kind === "host-elf" }, sink, budget);
    if (inspection !== undefined && !isEmptyOf(inspection, functions))
      found.push({ ...inspection, offset, ...(entry === undefined ? {} : { target: entry.target, fatbin: fatbin! }) });
  }
  return found;
}

/** Whether functions were named, the inspection has none of them, and it shows nothing else. */
function isEmptyOf(
  { kernels, functions, resourceUsage, occupancy, debugLine }: Inspection,
  wanted: readonly string[] | undefined,
): boolean {
  if (wanted === undefined) return false;
  const lists = [kernels, functions, resourceUsage?.functions, occupancy, debugLine?.functions];
  return lists.every((list) => (list?.length ?? 0) === 0);
}

/** Inspects a host file. If it contains GPU code, views show that code; the file itself has only the views of every ELF file. */
function inspectHost(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  const read = readElf(source.bytes);
  const asked = options.views.length > 0 || options.hex !== undefined;
  const isContainer = asked && read.ok && holdsFatbins(read.value);
  const budget = createBudget();
  // If files inside are selected, the host file itself is omitted.
  const views = isContainer && isSelective(options.selection ?? {}) ? { views: [], isLeftOut: true } : {};
  const result = inspectElf(source, "host-elf", { ...options, ...views, isContainer }, sink, budget);
  if (!isContainer || result.kind !== "inspected") return result;
  const inside = inspectContents(source, options, budget, sink);
  return { kind: "inspected", inspection: { ...result.inspection, ...inside, shortened: budget.isExhausted } };
}

function inspectContents(
  source: Source,
  options: InspectOptions,
  budget: Budget,
  sink: DiagnosticSink,
): Pick<Inspection, "elements" | "containerSizes"> {
  const elements = elementsIn(source, options, budget, sink);
  return { elements, ...(options.views.includes("sizes") ? { containerSizes: containerSizes(elements) } : {}) };
}

function inspectContainer(
  source: Source,
  kind: ContainerKind,
  options: InspectOptions,
  sink: DiagnosticSink,
): InspectResult {
  const { views, verify: verifies = false, witness, readFile } = options;
  const { name, bytes } = source;
  const before = sink.all.length;
  const budget = createBudget();
  const fault = ({ offset, what }: FormatError): void =>
    sink.report("malformed-file", what, { kind: "bytes", file: name, offset });
  const trial = createBudget(MAX_TRIED_BYTES);
  const read = kind === "pe" || kind === "mach-o" ? readHostFile(bytes, kind, budget) : undefined;
  if (read?.ok === false) {
    fault(read.error);
    return { kind: "refused" };
  }
  const isSummary = views.length === 0 && options.hex === undefined;
  const listing = () =>
    kind === "archive"
      ? { archive: archiveView(source, budget, sink) }
      : { fatbins: fatbinViews(readEmbedded(source, kind), { budget, trial, fault }) };
  const shown = isSummary ? listing() : inspectContents(source, options, budget, sink);
  const hosts = read === undefined ? {} : hostViews(read.value, options, isSummary, budget);
  const inside = verifies ? { inside: verifyInside(source, sink, { witness, readFile }) } : {};
  const head = {
    file: name,
    kind: read?.value.kind ?? (kind as "archive" | "fatbin"),
    size: bytes.length,
    damaged: isDamagedSince(sink, before),
  };
  return { kind: "inspected", inspection: { ...head, shortened: budget.isExhausted, ...hosts, ...shown, ...inside } };
}

/** Containers that are no ELF files. */
type ContainerKind = "archive" | "fatbin" | "pe" | "mach-o";

/** The views of a Windows or macOS file itself: the summary (also for header and sections), and bytes of sections. */
function hostViews(
  file: HostFile,
  { views, hex, selection = {} }: InspectOptions,
  isSummary: boolean,
  budget: Budget,
): Pick<Inspection, "hosts" | "hex"> {
  if (isSelective(selection)) return {};
  const isShown = isSummary || views.includes("header") || views.includes("sections");
  return {
    ...(isShown ? { hosts: file.hosts } : {}),
    ...(hex === undefined ? {} : { hex: hostHexViews(file, hex, budget) }),
  };
}
