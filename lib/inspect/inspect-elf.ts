// The views of one ELF file: ptxkit's, NVIDIA's or a host's. The readable parts of a damaged file are still shown.

import type { FormatError } from "../../formats/bytes/result.js";
import { readElf, ET, type ElfFile } from "../../formats/elf/index.js";
import { holdsFatbins } from "../../formats/fatbin/index.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { embeddedIn } from "../link/inputs/embedded.js";
import type { FileKind } from "../link/inputs/recognise.js";
import { disassemble } from "../object/print/disassemble.js";
import type { ObjectFile } from "../object/object.js";
import { decodeObject } from "../object/file/read.js";
import type { Source } from "../ptx/source-text.js";
import { createBudget } from "./context/budget.js";
import { createDemangler, type Demangle } from "./context/demangler.js";
import { createElfContext, type ElfContext } from "./context/elf-context.js";
import type { FunctionView } from "./context/function-view.js";
import {
  HOST_VIEWS,
  type Inspection,
  type InspectedKind,
  type InspectOptions,
  type InspectResult,
  type ViewName,
} from "./inspection.js";
import { salvageElf } from "./salvage.js";
import { verify } from "./verify/verify.js";
import { verifyInside } from "./verify/verify-inside.js";
import { fatbinViews, MAX_TRIED_BYTES } from "./views/entries.js";
import { headerView, targetView } from "./views/header.js";
import { hexViews } from "./views/hex.js";
import { infoView } from "./views/info.js";
import { kernelsView, type FunctionsView } from "./views/kernels.js";
import { ownKernelsView } from "./views/kernels-own.js";
import { layoutView, ownLayoutView } from "./views/layout.js";
import { relocationTableViews } from "./views/relocations.js";
import { constantsView } from "./views/constants.js";
import { linesView, type FunctionLines, type LinesView } from "./views/lines.js";
import { resourcesView } from "./views/resources.js";
import { sectionViews } from "./views/sections.js";
import { sizesView } from "./views/sizes.js";
import { summaryView } from "./views/summary.js";
import { symbolTableViews } from "./views/symbols.js";

/** Whether a diagnostic after the first `before` ones reports a damaged file. */
export const isDamagedSince = (sink: DiagnosticSink, before: number): boolean =>
  sink.all.slice(before).some(({ code }) => code === "malformed-file");

export interface ElfOptions extends InspectOptions {
  /**
   * The file is a host file with GPU code: views of GPU code show what is inside; the file itself has only the views of every ELF
   * file.
   */
  readonly isContainer?: boolean;
  /** Those views are omitted, too: a file inside was selected. */
  readonly isLeftOut?: boolean;
}

export function inspectElf(
  source: Source,
  kind: FileKind,
  options: ElfOptions,
  sink: DiagnosticSink,
  budget = createBudget(),
): InspectResult {
  const { views } = options;
  const hex = options.isLeftOut === true ? [] : (options.hex ?? []);
  const before = sink.all.length;
  const { name, bytes } = source;
  if (kind === "ptxkit" && (views.includes("resourceUsage") || views.includes("occupancy")))
    return {
      kind: "unsupported",
      reason: `${name} holds PTX: what its kernels take of a machine is known once it is compiled`,
      remedy: "compile its PTX, which --disassemble shows, with ptxas -v; --kernels shows what is known before",
    };
  const demangle = createDemangler(options.demangle);
  const read = readElf(bytes);
  if (!read.ok)
    sink.report("malformed-file", read.error.what, { kind: "bytes", file: name, offset: read.error.offset });
  const file = read.ok ? read.value : salvageElf(bytes);
  if (file === undefined) return { kind: "refused" };
  const context = createElfContext(file, name, sink, demangle, budget);
  const wants = (view: ViewName): boolean =>
    views.includes(view) && (options.isContainer !== true || HOST_VIEWS.includes(view));
  const isSummary = views.length === 0 && hex.length === 0 && options.isLeftOut !== true;
  const needsObject = read.ok && (isSummary || wants("kernels") || wants("layout") || wants("disassemble"));
  const object = context.ours && needsObject ? ownObject(context, bytes, name) : undefined;
  const shown = {
    ...checksOf(source, kind, read.ok ? file : undefined, context, options, sink),
    ...(isSummary ? { summary: summaryView(context, object) } : {}),
    ...(isSummary && kind === "host-elf" && read.ok ? embeddedOf(context, file) : {}),
    ...tableViews(context, wants),
    ...codeViews({ context, kind, object, wants, isSummary, demangle }, name, options, sink),
    ...(wants("constants") ? { constants: constantsView(context) } : {}),
    ...(wants("debugLine") ? { debugLine: linesOf(context, options.functions) } : {}),
    ...(wants("sizes") ? { sizes: sizesView(context, bytes.length) } : {}),
    ...(hex.length > 0 ? { hex: hexViews(context, hex) } : {}),
  };
  const target = object?.target.name ?? targetOf(context);
  const head = {
    file: name,
    kind: inspectedKind(kind, file),
    ...(target === undefined ? {} : { target }),
    size: bytes.length,
  };
  const damaged = isDamagedSince(sink, before);
  return { kind: "inspected", inspection: { ...head, damaged, shortened: budget.isExhausted, ...shown } };
}

type Wants = (view: ViewName) => boolean;

/** Verification, and the comparison with another reader. `file` is undefined for a damaged file. */
function checksOf(
  source: Source,
  kind: FileKind,
  file: ElfFile | undefined,
  context: ElfContext,
  { witness, verify: verifies = false }: ElfOptions,
  sink: DiagnosticSink,
): Partial<Inspection> {
  const { bytes } = source;
  return {
    ...(witness === undefined || file === undefined ? {} : { crossCheck: witness(bytes, file) }),
    ...(verifies && file !== undefined ? { verification: verify({ ...context, bytes }, sink) } : {}),
    ...(verifies && kind === "host-elf" ? { inside: verifyInside(source, sink, { witness }) } : {}),
  };
}

/** Views of the ELF tables and of .nv.info. */
const tableViews = (context: ElfContext, wants: Wants): Partial<Inspection> => ({
  ...(wants("header") ? { header: headerView(context) } : {}),
  ...(wants("sections") ? { sections: sectionViews(context) } : {}),
  ...(wants("symbols") ? { symbols: symbolTableViews(context) } : {}),
  ...(wants("relocations") ? { relocations: relocationTableViews(context) } : {}),
  ...(wants("info") ? { info: infoView(context) } : {}),
});

interface CodeFile {
  readonly context: ElfContext;
  readonly kind: FileKind;
  readonly object: ObjectFile | undefined;
  readonly wants: Wants;
  readonly isSummary: boolean;
  /** The demangler of the context: a file has one budget. */
  readonly demangle: Demangle;
}

/** Views of kernels, their code and their resources. */
function codeViews(
  { context, kind, object, wants, isSummary, demangle }: CodeFile,
  name: string,
  { functions, occupancyOf }: ElfOptions,
  sink: DiagnosticSink,
): Partial<Inspection> {
  return {
    ...(isSummary || wants("kernels") ? named(functionsOf(context, kind, object, demangle), functions) : {}),
    ...(wants("layout")
      ? { layout: object === undefined ? layoutView(context) : ownLayoutView(object, demangle) }
      : {}),
    ...(wants("disassemble") ? disassemblyOf(context, name, kind, object, sink) : {}),
    ...(wants("resourceUsage") && kind === "cubin"
      ? { resourceUsage: resourcesView(context, named(kernelsView(context), functions)) }
      : {}),
    ...(wants("occupancy") && kind === "cubin" && occupancyOf !== undefined
      ? { occupancy: occupancyOf(named(kernelsView(context), functions).kernels, targetOf(context)) }
      : {}),
  };
}

const targetOf = ({ cuda }: ElfContext): string | undefined =>
  cuda === undefined ? undefined : targetView(cuda).target;

/** Lines of the named functions; of all functions without names. */
function linesOf(context: ElfContext, names: readonly string[] | undefined): LinesView | null {
  const view = linesView(context);
  if (view === undefined || names === undefined) return view ?? null;
  const isWanted = ({ function: name, demangled }: FunctionLines): boolean =>
    name !== undefined && names.some((wanted) => isNamed({ name, demangled }, wanted));
  return { ...view, functions: view.functions.filter(isWanted) };
}

/** Whether a function has the name: its own, or its C++ name with or without parameters. */
export const isNamed = (
  { name, demangled }: { readonly name: string; readonly demangled?: string | undefined },
  wanted: string,
): boolean => wanted === name || wanted === demangled || wanted === demangled?.replace(/\(.*$/s, "");

/** The functions with one of the names; all functions without names. */
export function named<T extends Partial<FunctionsView>>(view: T, names: readonly string[] | undefined): T {
  if (names === undefined || view.kernels === undefined || view.functions === undefined) return view;
  const isWanted = (view: FunctionView): boolean => names.some((wanted) => isNamed(view, wanted));
  return { ...view, kernels: view.kernels.filter(isWanted), functions: view.functions.filter(isWanted) };
}

/** The fatbins of a host file; absent if it has none. */
function embeddedOf(context: ElfContext, file: ElfFile): Pick<Inspection, "fatbins"> {
  if (!holdsFatbins(file)) return {};
  const code = embeddedIn(context.name, file);
  const fault = ({ offset, what }: FormatError): void => context.fault(offset, what);
  return { fatbins: fatbinViews(code, { budget: context.budget, trial: createBudget(MAX_TRIED_BYTES), fault }) };
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
