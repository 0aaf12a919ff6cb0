// The inspector: bytes in, one plain value out, which --json prints as it stands and lib/report lays out as text. Faults of
// the file go into the sink with their offsets, and whatever they leave readable is shown all the same.

import type { FormatError } from "../../formats/bytes/result.js";
import { readElf, ET, type ElfFile } from "../../formats/elf/index.js";
import { holdsFatbins } from "../../formats/fatbin/index.js";
import { checkSource } from "../check/check.js";
import { createSink, type DiagnosticSink } from "../diag/sink.js";
import type { ReadFile } from "../link/inputs/archive.js";
import { embeddedIn, readEmbedded } from "../link/inputs/embedded.js";
import { readModule } from "../nvvm/compile-source.js";
import { ptxOf } from "../nvvm/front.js";
import { hasHeader } from "../ptx/header.js";
import { recognise, kindText, type FileKind } from "../link/inputs/recognise.js";
import { disassemble } from "../object/print/disassemble.js";
import type { ObjectFile } from "../object/object.js";
import { decodeObject } from "../object/file/read.js";
import type { Source } from "../ptx/tree.js";
import { createBudget } from "./budget.js";
import { createDemangler, type Demangle } from "./demangler.js";
import { createElfContext, type ElfContext } from "./elf-context.js";
import { salvageElf } from "./salvage.js";
import { verify, type Verification } from "./verify.js";
import { verifyInside, type VerifiedElement } from "./verify-inside.js";
import { archiveView, type ArchiveView } from "./view-archive.js";
import { fatbinViews, MOST_TRIED_BYTES, type FatbinView } from "./view-entries.js";
import { headerView, type HeaderView } from "./view-header.js";
import { infoView, type InfoView } from "./view-info.js";
import { kernelsView, type FunctionsView } from "./view-kernels.js";
import { moduleKernelsView, ownKernelsView } from "./view-kernels-own.js";
import { layoutView, ownLayoutView, type LayoutView } from "./view-layout.js";
import { moduleView, type ModuleView } from "./view-module.js";
import { nvvmView, type NvvmView } from "./view-nvvm.js";
import { relocationTableViews, type RelocationTableView } from "./view-relocations.js";
import { sectionViews, type SectionView } from "./view-sections.js";
import { summaryView, type SummaryView } from "./view-summary.js";
import { symbolTableViews, type SymbolTableView } from "./view-symbols.js";

/** The views that can be asked for, in the order in which they are shown. */
export const VIEWS = [
  "header",
  "sections",
  "symbols",
  "relocations",
  "info",
  "kernels",
  "layout",
  "disassemble",
] as const;
export type ViewName = (typeof VIEWS)[number];

/** What a file is, as JSON names it. */
export type InspectedKind =
  | "ptx"
  | "nvvm"
  | "ptxkit-object"
  | "ptxkit-image"
  | "cubin-object"
  | "cubin-image"
  | "elf-object"
  | "elf-image"
  | "archive"
  | "fatbin";

export interface Inspection extends Partial<FunctionsView> {
  readonly file: string;
  readonly kind: InspectedKind;
  /** Bytes. */
  readonly size: number;
  /** Some of the file could not be read: the diagnostics say what. */
  readonly damaged: boolean;
  /** The file describes more than is shown. */
  readonly shortened: boolean;
  /** The rules of its kind, and where it breaks them. */
  readonly verification?: Verification;
  /** Points on which the elfy package reads the file otherwise. */
  readonly crossCheck?: readonly string[];
  /** The same of each member of an archive, and of what fatbins hold. */
  readonly inside?: readonly VerifiedElement[];
  readonly summary?: SummaryView;
  readonly module?: ModuleView;
  /** Of NVVM IR, of which `module` is the PTX that is made of it. */
  readonly nvvm?: NvvmView;
  readonly archive?: ArchiveView;
  /** In a fatbin or a host file. */
  readonly fatbins?: readonly FatbinView[];
  readonly header?: HeaderView;
  readonly sections?: readonly SectionView[];
  readonly symbols?: readonly SymbolTableView[];
  readonly relocations?: readonly RelocationTableView[];
  readonly info?: InfoView;
  readonly layout?: LayoutView;
  /** PTX text. */
  readonly disassembly?: string;
}

export interface InspectOptions {
  /** None: the summary. */
  readonly views: readonly ViewName[];
  /** Reads mangled names; C++'s unless given. */
  readonly demangle?: Demangle;
  /** Hold the file, and what is in it, against the rules of its kind: verify.ts. */
  readonly verify?: boolean;
  /** A second reader of ELF files, and what it reads otherwise: formats/elf/elfy-witness. */
  readonly witness?: (bytes: Uint8Array, file: ElfFile) => readonly string[];
  /** Reads the members of a thin archive, to verify them. */
  readonly readFile?: ReadFile;
}

export type InspectResult =
  | { readonly kind: "inspected"; readonly inspection: Inspection }
  /** Nothing could be read; the sink says why. */
  | { readonly kind: "refused"; readonly inspection?: undefined }
  /** A kind of file, or a view of one, that is not there (yet). */
  | { readonly kind: "unsupported"; readonly reason: string; readonly remedy: string; readonly inspection?: undefined };

export function inspectFile(source: Source, options: InspectOptions, sink: DiagnosticSink): InspectResult {
  const kind = recognise(source.bytes);
  switch (kind) {
    case "ptx":
    case "nvvm":
    case "bitcode":
      return inspectModule(source, kind, options, sink);
    case "ptxkit":
    case "cubin":
    case "host-elf":
      return inspectElf(source, kind, options, sink);
    case "archive":
    case "fatbin":
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

// ------------------------------------------------------------------------------------------------------------------ ELF

function inspectElf(
  source: Source,
  kind: FileKind,
  { views, witness, verify: verifies = false, ...names }: InspectOptions,
  sink: DiagnosticSink,
): InspectResult {
  const { name, bytes } = source;
  const demangle = createDemangler(names.demangle);
  const read = readElf(bytes);
  if (!read.ok)
    sink.report("malformed-file", read.error.what, { kind: "bytes", file: name, offset: read.error.offset });
  const file = read.ok ? read.value : salvageElf(bytes);
  if (file === undefined) return { kind: "refused" };
  const context = createElfContext(file, name, sink, demangle);
  const wants = (view: ViewName): boolean => views.includes(view);
  const needsObject = read.ok && (views.length === 0 || wants("kernels") || wants("layout") || wants("disassemble"));
  const object = context.ours && needsObject ? ownObject(context, bytes, name) : undefined;
  const shown = {
    ...(witness === undefined || !read.ok ? {} : { crossCheck: witness(bytes, file) }),
    ...(verifies && read.ok ? { verification: verify({ ...context, bytes }, sink) } : {}),
    ...(verifies && kind === "host-elf" ? { inside: verifyInside(source, sink, { witness }) } : {}),
    ...(views.length === 0 ? { summary: summaryView(context, object) } : {}),
    ...(views.length === 0 && kind === "host-elf" && read.ok ? embeddedOf(context, file) : {}),
    ...(wants("header") ? { header: headerView(context) } : {}),
    ...(wants("sections") ? { sections: sectionViews(context) } : {}),
    ...(wants("symbols") ? { symbols: symbolTableViews(context) } : {}),
    ...(wants("relocations") ? { relocations: relocationTableViews(context) } : {}),
    ...(wants("info") ? { info: infoView(context) } : {}),
    ...(views.length === 0 || wants("kernels") ? functionsOf(context, kind, object, demangle) : {}),
    ...(wants("layout")
      ? { layout: object === undefined ? layoutView(context) : ownLayoutView(object, demangle) }
      : {}),
    ...(wants("disassemble") ? disassemblyOf(context, name, kind, object, sink) : {}),
  };
  const damaged = sink.all.some(({ code }) => code === "malformed-file");
  const head = { file: name, kind: inspectedKind(kind, file), size: bytes.length };
  return { kind: "inspected", inspection: { ...head, damaged, shortened: context.budget.isSpent, ...shown } };
}

/** The fatbins of a host file that has any. */
function embeddedOf(context: ElfContext, file: ElfFile): Pick<Inspection, "fatbins"> {
  if (!holdsFatbins(file)) return {};
  const code = embeddedIn(context.name, file);
  const fault = ({ offset, what }: FormatError): void => context.fault(offset, what);
  return { fatbins: fatbinViews(code, { budget: context.budget, trial: createBudget(MOST_TRIED_BYTES), fault }) };
}

function inspectedKind(kind: FileKind, { header }: ElfFile): InspectedKind {
  const prefix = kind === "host-elf" ? "elf" : kind === "cubin" ? "cubin" : "ptxkit";
  return `${prefix}-${header.type === ET.REL ? "object" : "image"}`;
}

function ownObject(context: ElfContext, bytes: Uint8Array, name: string): ObjectFile | undefined {
  return context.accept(decodeObject(bytes, name));
}

function functionsOf(
  context: ElfContext,
  kind: FileKind,
  object: ObjectFile | undefined,
  demangle: Demangle,
): Partial<FunctionsView> {
  if (object !== undefined) return ownKernelsView(object, demangle);
  return kind === "host-elf" ? {} : kernelsView(context);
}

function disassemblyOf(
  context: ElfContext,
  name: string,
  kind: FileKind,
  object: ObjectFile | undefined,
  sink: DiagnosticSink,
): Pick<Inspection, "disassembly"> {
  if (kind === "cubin")
    sink.report(
      "machine-code",
      "machine code (SASS) of NVIDIA's is not disassembled",
      {
        kind: "bytes",
        file: name,
        offset: 0,
      },
      { remedy: `use NVIDIA's tool: cuobjdump -sass ${name}` },
    );
  if (kind === "host-elf")
    sink.report(
      "machine-code",
      "code for another machine is not disassembled",
      {
        kind: "bytes",
        file: name,
        offset: 0,
      },
      { remedy: `use the tool of its machine, such as objdump -d ${name}; --extract writes the PTX inside` },
    );
  const text = object === undefined ? undefined : context.accept(disassemble(object));
  return text === undefined ? {} : { disassembly: text };
}

// ----------------------------------------------------------------------------------------------------------- containers

function inspectContainer(
  source: Source,
  kind: "archive" | "fatbin",
  { views, verify: verifies = false, witness, readFile }: InspectOptions,
  sink: DiagnosticSink,
): InspectResult {
  const { name, bytes } = source;
  if (views[0] !== undefined)
    return {
      kind: "unsupported",
      reason: `${name} is ${kindText(kind)}, which has no --${views[0]} view`,
      remedy: `give one of what is in it: '${name}(NAME)', with a name that ptxkit inspect ${name} shows`,
    };
  const budget = createBudget();
  const fault = ({ offset, what }: FormatError): void =>
    sink.report("malformed-file", what, { kind: "bytes", file: name, offset });
  const trial = createBudget(MOST_TRIED_BYTES);
  const shown =
    kind === "archive"
      ? { archive: archiveView(source, budget, sink) }
      : { fatbins: fatbinViews(readEmbedded(source, kind), { budget, trial, fault }) };
  const inside = verifies ? { inside: verifyInside(source, sink, { witness, readFile }) } : {};
  const damaged = sink.all.some(({ code }) => code === "malformed-file");
  const head = { file: name, kind, size: bytes.length, damaged, shortened: budget.isSpent };
  return { kind: "inspected", inspection: { ...head, ...shown, ...inside } };
}

// -------------------------------------------------------------------------------------------------- PTX and NVVM IR

/** Views that modules have. */
const MODULE_VIEWS: readonly ViewName[] = ["kernels", "disassemble"];

function inspectModule(
  source: Source,
  kind: "ptx" | "nvvm" | "bitcode",
  { views, verify: verifies, ...names }: InspectOptions,
  sink: DiagnosticSink,
): InspectResult {
  // Of a text without any PTX the parser says so.
  const isModule = kind !== "ptx" || hasHeader(source.bytes);
  const what = kind === "ptx" ? "PTX text" : "NVVM IR";
  if (isModule && verifies === true)
    return {
      kind: "unsupported",
      reason: `${source.name} is ${what}, which has no rules of files`,
      remedy: `verify it with: ptxkit check ${source.name}`,
    };
  const missing = views.find((view) => !MODULE_VIEWS.includes(view));
  if (isModule && missing !== undefined)
    return {
      kind: "unsupported",
      reason: `${source.name} is ${what}, which has no --${missing} view`,
      remedy: `make an object of it, which has: ptxkit as ${source.name}`,
    };
  const demangle = createDemangler(names.demangle);
  const ir = kind === "ptx" ? undefined : readModule(source, createSink());
  const text = ptxOf(source, undefined, sink);
  const module = checkSource(text, sink);
  if (sink.errorCount > 0 && module.symbols.length === 0) return { kind: "refused" };
  return {
    kind: "inspected",
    inspection: {
      file: source.name,
      kind: kind === "ptx" ? "ptx" : "nvvm",
      size: source.bytes.length,
      damaged: sink.errorCount > 0,
      shortened: false,
      ...(views.length === 0 && ir !== undefined ? { nvvm: nvvmView(ir) } : {}),
      ...(views.length === 0 ? { module: moduleView(module, demangle) } : {}),
      ...(views.length === 0 || views.includes("kernels") ? moduleKernelsView(module, demangle) : {}),
      // What has errors may hold anything: --extract writes it as it is.
      ...(views.includes("disassemble") && sink.errorCount === 0
        ? { disassembly: new TextDecoder().decode(text.bytes) }
        : {}),
    },
  };
}
