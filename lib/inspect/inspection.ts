// The views of an inspection, and the plain value with their contents, which --json prints and lib/report formats as text.

import type { OccupancyLimit } from "../timing/gpus/occupancy.js";
import type { ElfFile } from "../../formats/elf/index.js";
import type { ReadFile } from "../link/inputs/archive.js";
import type { Demangle } from "./context/demangler.js";
import type { FunctionView } from "./context/function-view.js";
import type { ListedFile } from "./parts/list.js";
import type { Selection } from "./parts/selection.js";
import type { Verification } from "./verify/verify.js";
import type { VerifiedElement } from "./verify/verify-inside.js";
import type { ArchiveView } from "./views/archive.js";
import type { ConstantSection } from "./views/constants.js";
import type { FatbinView } from "./views/entries.js";
import type { HeaderView } from "./views/header.js";
import type { HexView } from "./views/hex.js";
import type { HostView } from "./views/host.js";
import type { InfoView } from "./views/info.js";
import type { FunctionsView } from "./views/kernels.js";
import type { LayoutView } from "./views/layout.js";
import type { LinesView } from "./views/lines.js";
import type { ModuleView } from "./views/module.js";
import type { NvvmView } from "./views/nvvm.js";
import type { RelocationTableView } from "./views/relocations.js";
import type { ResourcesView } from "./views/resources.js";
import type { SectionView } from "./views/sections.js";
import type { SizesView } from "./views/sizes.js";
import type { SummaryView } from "./views/summary.js";
import type { SymbolTableView } from "./views/symbols.js";

/** The available views, in the order in which they are shown. */
export const VIEWS = [
  "header",
  "sections",
  "symbols",
  "relocations",
  "info",
  "kernels",
  "layout",
  "disassemble",
  "resourceUsage",
  "sizes",
  "occupancy",
  "constants",
  "debugLine",
] as const;
export type ViewName = (typeof VIEWS)[number];

/** Views of modules of PTX and NVVM IR. */
export const MODULE_VIEWS: readonly ViewName[] = ["kernels", "disassemble"];
/** Views of a host ELF file; the others apply to the files inside. */
export const HOST_VIEWS: readonly ViewName[] = ["header", "sections", "symbols", "relocations", "sizes"];
/** Views of a cubin: machine code has no PTX text. */
export const CUBIN_VIEWS: readonly ViewName[] = VIEWS.filter((view) => view !== "disassemble");
/** Views of ptxkit's objects and images; resources of machine code are unknown before PTX is compiled. */
export const OWN_VIEWS: readonly ViewName[] = VIEWS.filter((view) => view !== "resourceUsage" && view !== "occupancy");

/** The kind of a file, as in JSON. */
export type InspectedKind =
  | "ptx"
  | "nvvm"
  | "ptxkit-object"
  | "ptxkit-image"
  | "cubin-object"
  | "cubin-image"
  | "elf-object"
  | "elf-image"
  | "pe-object"
  | "pe-image"
  | "macho-object"
  | "macho-image"
  | "macho-universal"
  | "archive"
  | "fatbin";

/** The contents of a file; which views there are depends on its kind. */
export interface Inspection extends Partial<FunctionsView> {
  readonly file: string;
  readonly kind: InspectedKind;
  /** For an element of a container: its offset in its direct container, in bytes. */
  readonly offset?: number;
  /** The target of its GPU code: "sm_90a". */
  readonly target?: string;
  /** For an entry of a fatbin: the number of the fatbin in its container, from 1. Entries of one fatbin are alternatives. */
  readonly fatbin?: number;
  /** Bytes. */
  readonly size: number;
  /** Part of the file could not be read; the diagnostics have the details. */
  readonly damaged: boolean;
  /** Some of the contents are omitted, because the file describes more than an inspection may show. */
  readonly shortened: boolean;
  /** The checked rules of its kind, and the findings. */
  readonly verification?: Verification;
  /** Points in which the elfy package reads the file differently. */
  readonly crossCheck?: readonly string[];
  /** `verification` and `crossCheck` of each member of an archive, and of the entries of fatbins. */
  readonly inside?: readonly VerifiedElement[];
  readonly summary?: SummaryView;
  readonly module?: ModuleView;
  /** For NVVM IR; `module` is then the PTX generated from it. */
  readonly nvvm?: NvvmView;
  readonly archive?: ArchiveView;
  /** The fatbins in a fatbin file or a host file. */
  readonly fatbins?: readonly FatbinView[];
  /** For a Windows or macOS file: the program of each machine in it. */
  readonly hosts?: readonly HostView[];
  readonly header?: HeaderView;
  readonly sections?: readonly SectionView[];
  readonly symbols?: readonly SymbolTableView[];
  readonly relocations?: readonly RelocationTableView[];
  readonly info?: InfoView;
  readonly layout?: LayoutView;
  readonly resourceUsage?: ResourcesView;
  readonly sizes?: SizesView;
  /** Number of blocks of each kernel that an SM of each GPU model can hold. */
  readonly occupancy?: readonly KernelOccupancy[];
  readonly constants?: readonly ConstantSection[];
  /** Lines of `.debug_line`; null if there is no such section. */
  readonly debugLine?: LinesView | null;
  /** For a container: comparisons of the images of each fatbin. */
  readonly images?: readonly ImageComparison[];
  /** For a container: `sizes` of everything inside, summed. */
  readonly containerSizes?: ContainerSizes;
  readonly hex?: readonly HexView[];
  /** For a container: the names of the modules and machine code inside. */
  readonly list?: readonly ListedFile[];
  readonly loads?: LoadsView;
  /** PTX text. */
  readonly disassembly?: string;
  /** These views for each element of a container that has them; `file` is like "lib.a(scale.o)(1.sm_90.cubin)". */
  readonly elements?: readonly Inspection[];
}

/** Options of an inspection. */
export interface InspectOptions {
  /** The views; if empty, the summary. */
  readonly views: readonly ViewName[];
  /** Sections to show as bytes, by name or number. */
  readonly hex?: readonly string[];
  /** Names or demangled names of functions; views show only these. */
  readonly functions?: readonly string[];
  /** A device's SM number (90 for sm_90): reports which images of the file it would load. */
  readonly loadsOn?: number;
  /** The files inside a container to show. */
  readonly selection?: Selection;
  /** Computes the view `occupancy` (occupancy.ts). Passed in, because it depends on the GPU models. */
  readonly occupancyOf?: (kernels: readonly FunctionView[], target: string | undefined) => readonly KernelOccupancy[];
  /** Whether to compare the images of each fatbin with each other. */
  readonly comparesImages?: boolean;
  /** Whether to list only the names of the files inside. */
  readonly lists?: boolean;
  /** Demangles names; C++ names by default. */
  readonly demangle?: Demangle;
  /** Whether to check the file, and the files inside, against the rules of their formats: verify.ts. */
  readonly verify?: boolean;
  /** A second reader of ELF files, which returns the differences: formats/elf/elfy-witness. */
  readonly witness?: (bytes: Uint8Array, file: ElfFile) => readonly string[];
  /** Reads the members of a thin archive, to verify them. */
  readonly readFile?: ReadFile;
}

/** The inspection, if the file could be read. */
export type InspectResult =
  | { readonly kind: "inspected"; readonly inspection: Inspection }
  /** Nothing could be read; the sink says why. */
  | { readonly kind: "refused"; readonly inspection?: undefined }
  /** The kind of file, or a view of it, is not supported. */
  | { readonly kind: "unsupported"; readonly reason: string; readonly remedy: string; readonly inspection?: undefined };

export interface ImageComparison {
  /** "app, fatbin 2" */
  readonly module: string;
  /** Images that were compared, the reference first. */
  readonly images: readonly string[];
  readonly kernels: number;
  readonly findings: readonly ImageFinding[];
}

export interface ContainerSizes {
  /** Bytes of all elements after decompression. */
  readonly total: number;
  readonly byTarget: readonly NamedBytes[];
  /** Code and metadata by function name, demangled where possible. */
  readonly byFunction: readonly NamedBytes[];
  readonly byTemplate: readonly NamedBytes[];
  /** Functions with equal code and relocations in several elements; `bytes` of all but one. */
  readonly duplicates: readonly (NamedBytes & { readonly target: string })[];
}

export interface LoadsView {
  /** "sm_90". */
  readonly device: string;
  readonly modules: readonly ModuleLoad[];
}

export interface KernelOccupancy {
  readonly name: string;
  readonly demangled?: string;
  /** Threads of a block: from .reqntid, from .maxntid, or assumed. */
  readonly threads: number;
  readonly threadsFrom: "required" | "most" | "assumed";
  /** Per thread; null if the file has no value. */
  readonly registers: number | null;
  /** Bytes of static shared memory of a block. A launch may add dynamic memory. */
  readonly sharedBytes: number;
  readonly gpus: readonly GpuOccupancy[];
}

export interface ImageFinding {
  /** The kernel; absent for properties of the whole image. */
  readonly kernel?: string;
  readonly demangled?: string;
  /** "missing", "parameters", "launch-bounds", "shared", "constants". */
  readonly what: string;
  /** The image with the difference, and the image that it is compared with, as messages name them. */
  readonly image: string;
  readonly reference: string;
  /** The difference as text: "2 parameters, 16 bytes; 3 parameters, 20 bytes in app(1.sm_90.ptx)". */
  readonly message: string;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: number;
  /** Number of elements that have it. */
  readonly count: number;
}

export interface ModuleLoad {
  /** The module whose alternatives the images are: "app, fatbin 2", or the file itself. */
  readonly module: string;
  /** The image that the driver would load: its name, and "ptx" if the driver compiles it first; null if there is none. */
  readonly chosen: { readonly name: string; readonly kind: "cubin" | "ptx" } | null;
  /** Kernels of the chosen image; of all images if none is chosen. */
  readonly kernels: readonly string[];
  /** Kernels that only other images have. */
  readonly missing: readonly string[];
  readonly candidates: readonly LoadCandidate[];
}

export interface GpuOccupancy {
  /** The model's name for --gpu. */
  readonly gpu: string;
  /** Blocks and warps on an SM; 0 if not even one block fits. */
  readonly blocks: number;
  readonly warps: number;
  /** Warps as a share of an SM's maximum, 0 to 1. */
  readonly share: number;
  readonly limitedBy: OccupancyLimit;
}

/** One image of a module: machine code or PTX for one target. */
export interface LoadCandidate {
  /** "app(1.sm_90.cubin)". */
  readonly name: string;
  readonly kind: "cubin" | "ptx";
  readonly target: string;
  /** The reason why the device cannot load it; absent if it can. */
  readonly refused?: string;
}
