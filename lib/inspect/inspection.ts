// The views of an inspection, and one plain value with their contents, which --json prints and
// lib/report lays out as text.

import type { OccupancyLimit } from "../timing/occupancy.js";
import type { ElfFile } from "../../formats/elf/index.js";
import type { ReadFile } from "../link/inputs/archive.js";
import type { Demangle } from "./demangler.js";
import type { FunctionView } from "./function-view.js";
import type { ListedFile } from "./list.js";
import type { Selection } from "./selection.js";
import type { Verification } from "./verify.js";
import type { VerifiedElement } from "./verify-inside.js";
import type { ArchiveView } from "./view-archive.js";
import type { ConstantSection } from "./view-constants.js";
import type { FatbinView } from "./view-entries.js";
import type { HeaderView } from "./view-header.js";
import type { HexView } from "./view-hex.js";
import type { HostView } from "./view-host.js";
import type { InfoView } from "./view-info.js";
import type { FunctionsView } from "./view-kernels.js";
import type { LayoutView } from "./view-layout.js";
import type { LinesView } from "./view-lines.js";
import type { ModuleView } from "./view-module.js";
import type { NvvmView } from "./view-nvvm.js";
import type { RelocationTableView } from "./view-relocations.js";
import type { ResourcesView } from "./view-resources.js";
import type { SectionView } from "./view-sections.js";
import type { SizesView } from "./view-sizes.js";
import type { SummaryView } from "./view-summary.js";
import type { SymbolTableView } from "./view-symbols.js";

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
  "resourceUsage",
  "sizes",
  "occupancy",
  "constants",
  "debugLine",
] as const;
export type ViewName = (typeof VIEWS)[number];

/** Views that modules of PTX and NVVM IR have. */
export const MODULE_VIEWS: readonly ViewName[] = ["kernels", "disassemble"];
/** Views of an ELF file for a host; the others apply to the files inside. */
export const HOST_VIEWS: readonly ViewName[] = ["header", "sections", "symbols", "relocations", "sizes"];
/** Views of a cubin: machine code has no text. */
export const CUBIN_VIEWS: readonly ViewName[] = VIEWS.filter((view) => view !== "disassemble");
/** Views of our own objects and images: what a machine's code takes is not known before PTX is compiled. */
export const OWN_VIEWS: readonly ViewName[] = VIEWS.filter((view) => view !== "resourceUsage" && view !== "occupancy");

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
  | "pe-object"
  | "pe-image"
  | "macho-object"
  | "macho-image"
  | "macho-universal"
  | "archive"
  | "fatbin";

/** What is in a file, by the kind of file. */
export interface Inspection extends Partial<FunctionsView> {
  readonly file: string;
  readonly kind: InspectedKind;
  /** For an element of a container: its offset in its direct container, in bytes. */
  readonly offset?: number;
  /** What its GPU code is for: "sm_90a". */
  readonly target?: string;
  /** Of an entry of a fatbin: which fatbin of the container around it, from 1 on. Its entries are alternatives. */
  readonly fatbin?: number;
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
  /** Of a file of Windows or macOS: the program of each machine in it. */
  readonly hosts?: readonly HostView[];
  readonly header?: HeaderView;
  readonly sections?: readonly SectionView[];
  readonly symbols?: readonly SymbolTableView[];
  readonly relocations?: readonly RelocationTableView[];
  readonly info?: InfoView;
  readonly layout?: LayoutView;
  readonly resourceUsage?: ResourcesView;
  readonly sizes?: SizesView;
  /** How many blocks of each kernel an SM of each GPU model holds. */
  readonly occupancy?: readonly KernelOccupancy[];
  readonly constants?: readonly ConstantSection[];
  /** Lines of `.debug_line`; null where there is no such section. */
  readonly debugLine?: LinesView | null;
  /** Of a container: the images of each fatbin, compared with each other. */
  readonly images?: readonly ImageComparison[];
  /** Of a container: `sizes` of everything inside, put together. */
  readonly containerSizes?: ContainerSizes;
  readonly hex?: readonly HexView[];
  /** Of a container: the names of the modules and machine code inside. */
  readonly list?: readonly ListedFile[];
  readonly loads?: LoadsView;
  /** PTX text. */
  readonly disassembly?: string;
  /** The same views of each element inside a container that has them, with `file` like "lib.a(scale.o)(1.sm_90.cubin)". */
  readonly elements?: readonly Inspection[];
}

/** Which views are made, and of what. */
export interface InspectOptions {
  /** None: the summary. */
  readonly views: readonly ViewName[];
  /** Sections to show as bytes, by name or number. */
  readonly hex?: readonly string[];
  /** Names or demangled names of functions: cards and resource usage are of these alone. */
  readonly functions?: readonly string[];
  /** A device's version, 90 for sm_90: which images of the file it would load. */
  readonly loadsOn?: number;
  /** The files inside a container to show. */
  readonly selection?: Selection;
  /** Makes the view `occupancy`: view-occupancy.ts, which brings the GPU models. */
  readonly occupancyOf?: (kernels: readonly FunctionView[], target: string | undefined) => readonly KernelOccupancy[];
  /** Compare the images of each fatbin with each other. */
  readonly comparesImages?: boolean;
  /** Only the names of the files inside. */
  readonly lists?: boolean;
  /** Reads mangled names; C++'s unless given. */
  readonly demangle?: Demangle;
  /** Check the file, and the files inside, against the rules of their formats: verify.ts. */
  readonly verify?: boolean;
  /** A second reader of ELF files, and what it reads otherwise: formats/elf/elfy-witness. */
  readonly witness?: (bytes: Uint8Array, file: ElfFile) => readonly string[];
  /** Reads the members of a thin archive, to verify them. */
  readonly readFile?: ReadFile;
}

/** The inspection, if the file could be read. */
export type InspectResult =
  | { readonly kind: "inspected"; readonly inspection: Inspection }
  /** Nothing could be read; the sink says why. */
  | { readonly kind: "refused"; readonly inspection?: undefined }
  /** A kind of file, or a view of one, that is not there (yet). */
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
  /** Bytes of all elements, decompressed. */
  readonly total: number;
  readonly byTarget: readonly NamedBytes[];
  /** Code and metadata of functions of one name; demangled where it can be. */
  readonly byFunction: readonly NamedBytes[];
  readonly byTemplate: readonly NamedBytes[];
  /** Functions whose code and relocations are in several elements; `bytes` of all but one. */
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
  /** Threads of a block: of .reqntid, of .maxntid, or assumed. */
  readonly threads: number;
  readonly threadsFrom: "required" | "most" | "assumed";
  /** Per thread; null where the file does not say. */
  readonly registers: number | null;
  /** Static shared memory of a block, bytes. A launch may add dynamic memory. */
  readonly sharedBytes: number;
  readonly gpus: readonly GpuOccupancy[];
}

export interface ImageFinding {
  /** The kernel; absent for properties of the whole image. */
  readonly kernel?: string;
  readonly demangled?: string;
  /** "missing", "parameters", "launch-bounds", "shared", "constants". */
  readonly what: string;
  /** The image in which it differs, and the one that it is compared with, as messages name them. */
  readonly image: string;
  readonly reference: string;
  /** In words: "2 parameters, 16 bytes; 3 parameters, 20 bytes in app(1.sm_90.ptx)". */
  readonly message: string;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: number;
  /** In how many elements. */
  readonly count: number;
}

export interface ModuleLoad {
  /** What the images are alternatives of: "app, fatbin 2", or the file itself. */
  readonly module: string;
  /** The image that the driver takes: its name and whether it compiles PTX first; null where there is none. */
  readonly chosen: { readonly name: string; readonly kind: "cubin" | "ptx" } | null;
  /** Kernels in the chosen image, or in any where none is chosen. */
  readonly kernels: readonly string[];
  /** Kernels that only images not chosen have. */
  readonly missing: readonly string[];
  readonly candidates: readonly LoadCandidate[];
}

export interface GpuOccupancy {
  /** As --gpu names it. */
  readonly gpu: string;
  /** Blocks and warps on an SM; 0 when not even one block fits. */
  readonly blocks: number;
  readonly warps: number;
  /** Warps as a share of those that an SM holds, 0 to 1. */
  readonly share: number;
  readonly limitedBy: OccupancyLimit;
}

/** One image of a module: machine code or PTX for one target. */
export interface LoadCandidate {
  /** "app(1.sm_90.cubin)". */
  readonly name: string;
  readonly kind: "cubin" | "ptx";
  readonly target: string;
  /** Why the device cannot take it; absent where it can. */
  readonly refused?: string;
}
