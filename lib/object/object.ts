// An object or an image as values: the contents of the ELF file, with every index checked. `relocatable` is the assembler's
// output (one module) or a partial link; `executable` is a linked image. Reader and writer are file/read.ts and file/write.ts;
// docs/format.md describes the container, which follows NVIDIA's cubin (sections, symbol types, relocation numbers).

import type { Dimensions } from "../base/dimensions.js";
import type { OpaqueField, OpaqueTypeName } from "../isa/opaque-fields.table.js";
import type { SymbolIndex } from "../base/brand.js";
import type { AddressSize, OtherAddressSize } from "../check/address-size.js";
import type { Linkage, VariableSpace } from "../check/module.js";
import type { Layout, Prototype } from "../isa/code.js";
import type { Target } from "../isa/requirement.js";
import type { PtxVersion } from "../isa/targets.table.js";
import type { DebugSection } from "./dwarf/debug-sections.js";

/** The origin of a symbol: index into ObjectFile.modules, and line and column (in bytes, from 1) of its name there. */
export interface Origin {
  readonly module: number;
  readonly line: number;
  /** Absent in objects of older versions of ptxkit. */
  readonly column?: number;
}

/** One PTX module of this file. */
export interface ModuleOrigin {
  /** The source file's name, as given by the user. */
  readonly name: string;
  readonly version: PtxVersion;
  readonly target: Target;
  readonly targetOptions: readonly string[];
  /** Absent if addresses have 64 bits. */
  readonly addressSize?: OtherAddressSize;
  /** Line of .target, from 1; 0 if unknown. */
  readonly targetLine: number;
  readonly files: readonly { readonly index: number; readonly path: string }[];
}

/** The place of a symbol. */
export type Placement =
  | { readonly kind: "undefined" }
  /** SHN_COMMON: a tentative definition; the linker allocates it. */
  | { readonly kind: "common" }
  /**
   * `section` indexes ObjectFile.sections; `offset` in bytes from its start. Shared variables of a relocatable object have
   * no offset yet: it is 0. A function whose section belongs to another symbol is an alias of that symbol.
   */
  | { readonly kind: "section"; readonly section: number; readonly offset: number };

interface SymbolCommon {
  readonly name: string;
  /** The linkage as declared: extern and common stay distinguishable. */
  readonly linkage: Linkage;
  readonly placement: Placement;
  readonly origin: Origin;
}

export interface VariableSymbol extends SymbolCommon {
  readonly kind: "variable";
  readonly space: VariableSpace;
  readonly layout: Layout;
  readonly managed: boolean;
  /** `.attribute(.unified(a, b))`. */
  readonly unified?: readonly [bigint, bigint];
  /** Function-scope variables: the function's name. */
  readonly scope?: string;
  /** Whether it has an initialiser. */
  readonly initialised: boolean;
  /** Whether it is an alias for a variable or a place inside one, which `placement` gives; only in images. */
  readonly alias?: true;
  /** For an alias in an object, its target. It has no placement; the link resolves it like --defsym. */
  readonly aliasOf?: AliasTarget;
}

/** The variable to which an alias refers, by name, and an offset in bytes from its start. */
export interface AliasTarget {
  readonly base: string;
  readonly offset: number;
}

export interface CodeSymbol extends SymbolCommon {
  readonly kind: "function";
  readonly entry: boolean;
  readonly prototype: Prototype;
  readonly directives: readonly {
    readonly name: string;
    readonly values: readonly number[];
    readonly strings: readonly string[];
  }[];
  /** `.attribute(.unified(a, b))`. */
  readonly unified?: readonly [bigint, bigint];
}

export interface ReferenceSymbol extends SymbolCommon {
  readonly kind: "reference";
  readonly type: OpaqueTypeName;
  /** The initial values in its declaration; absent if there are none. */
  readonly fields?: readonly OpaqueField[];
}

export type ObjectSymbol = VariableSymbol | CodeSymbol | ReferenceSymbol;

/** A place that is patched once the symbol's address is known. Types are NVIDIA's numbers: formats/cuda/relocations. */
export interface Relocation {
  /** Offset in bytes from the section's start. */
  readonly offset: number;
  readonly type: number;
  /** Index into ObjectFile.symbols. */
  readonly symbol: number;
  readonly addend: bigint;
  /** Bytes of the holder that may be written: 1, 2, 4 or 8. For a masked byte, whose upper bytes are 0, those of its holder. */
  readonly width: number;
}

/** The record of a relocation that has been applied. */
export type AppliedRelocation = Omit<Relocation, "width">;

/** The contents of a section, which determine its ELF name, type and flags (formats/cuda). */
export type SectionRole =
  /** Encoded code of one function; `symbol` is that function. */
  | { readonly kind: "text"; readonly symbol: number }
  | { readonly kind: "global" }
  | { readonly kind: "global-init" }
  /** User constants, bank 3. */
  | { readonly kind: "constant" }
  /** Module-scope .local variables and registers (PTX before 3.0); every thread has its own. */
  | { readonly kind: "local" }
  /** Module-scope shared variables, before they are laid out. */
  | { readonly kind: "shared-module" }
  /** All shared memory of one kernel (executable), or a function's own variables (relocatable). */
  | { readonly kind: "shared"; readonly symbol: number };

export interface Section {
  readonly role: SectionRole;
  /** Alignment in bytes, a power of two. */
  readonly align: number;
  /** Size in bytes. */
  readonly size: number;
  /** Absent for sections without file bytes (global, shared). */
  readonly data?: Uint8Array;
  /** Offset in bytes in the file from which it was read, for messages; absent if ptxkit made it. */
  readonly fileOffset?: number;
  readonly relocations: readonly Relocation[];
  /** Relocations that the linker has applied, for tools to read (--emit-relocs); otherwise unused. */
  readonly applied?: readonly AppliedRelocation[];
}

/** Data about a kernel that a launch needs, from .nv.info.<kernel> and the linker's layout of shared memory. */
export interface KernelInfo {
  readonly symbol: number;
  /** Byte offset of each parameter in the parameter block, and the block's size. */
  readonly parameterOffsets: readonly number[];
  readonly parameterBytes: number;
  /** Static shared memory in bytes (executable only). */
  readonly sharedBytes: number;
  /** Offset in bytes of `.extern .shared x[]` (executable only). */
  readonly dynamicSharedOffset: number;
  readonly maxThreads?: Dimensions;
  readonly requiredThreads?: Dimensions;
}

/** Properties of the code of function `symbol`, for other tools: object/attributes/code-properties.ts. */
export interface CodeProperties {
  readonly symbol: number;
  /** The prototypes of its calls through registers, call by call, in NVIDIA's encoding: "#ii". */
  readonly indirectCalls: readonly string[];
  /** Functions whose address it takes. */
  readonly addressUses: readonly number[];
  /**
   * The highest barrier of the block that it names + 1, and 16 if it computes one; for an image's kernel, the maximum over all
   * that it reaches.
   */
  readonly barriers: number;
  /** Whether it reads %ctaid.z; for an image's kernel, itself or in a function that it reaches. Up to sm_89. */
  readonly readsBlockZ: boolean;
  /** Whether it contains wmma instructions. */
  readonly usesMatrices: boolean;
  /**
   * For an image's kernel: whether its calls may return to a function that has not returned, so that no stack size is known to
   * suffice.
   */
  readonly isRecursive: boolean;
}

/** An object or an image, as data: symbols, sections and relocations. */
export interface ObjectFile {
  readonly type: "relocatable" | "executable";
  /** The file's name, for messages; "a.ptx" if it was assembled during the link. */
  readonly name: string;
  readonly target: Target;
  readonly version: PtxVersion;
  readonly modules: readonly ModuleOrigin[];
  readonly sections: readonly Section[];
  readonly symbols: readonly ObjectSymbol[];
  readonly kernels: readonly KernelInfo[];
  /** Direct calls and address-taken functions, by symbol: .nv.callgraph. */
  readonly calls: readonly { readonly caller: number; readonly callee: number }[];
  readonly addressTaken: readonly number[];
  /** Properties of the functions that have any. */
  readonly codeProperties: readonly CodeProperties[];
  /** DWARF, in the order of modules and their texts; absent if there is none. */
  readonly debugSections?: readonly DebugSection[];
}

/** Bits per address in an object or image: 64, unless a module declares 32. */
export const addressSizeOf = ({ modules }: Pick<ObjectFile, "modules">): AddressSize =>
  modules.some(({ addressSize }) => addressSize === 32) ? 32 : 64;

/** The assembler's output for one module. */
export type RelocObject = ObjectFile & { readonly type: "relocatable" };

/** The linker's output. */
export type LinkedImage = ObjectFile & { readonly type: "executable" };

/** Index of a symbol in the ELF file's .symtab (which also contains section symbols), as opposed to ObjectFile.symbols. */
export type ElfSymbol = SymbolIndex;

/** Whether no other module sees the name. */
export const isLocal = (symbol: Pick<ObjectSymbol, "linkage">): boolean => symbol.linkage === "static";
