// A loaded image: memory with the module's variables in it, relocations applied, functions found by address. What the
// engines run and what a host program sees. Nothing here knows how instructions are executed.

import type { Address } from "../base/brand.js";
import type { Code } from "../isa/code.js";
import type { CodeSymbol, KernelInfo, LinkedImage, ObjectSymbol, VariableSymbol } from "../object/object.js";
import type { Images } from "./images.js";
import type { AddressSpace } from "./address-space.js";
import type { Memory } from "./memory.js";
import type { SystemFunction } from "../isa/system-functions.js";
import type { Region } from "./region-list.js";

/** The value of a function's symbol slot after loading. */
export interface LoadedSlot {
  readonly space: "global" | "const" | "shared" | "function" | "reference" | "local";
  /** Address in that space: const and shared are offsets in their windows, functions have code addresses. */
  readonly value: number;
}

/** A function ready to run. Decoded when first needed. */
export interface LoadedFunction {
  readonly name: string;
  readonly symbol: CodeSymbol;
  /** Code address: what a function pointer holds. */
  readonly address: Address;
  /** Source file (the PTX module) for messages. */
  readonly file: string;
  readonly code: Code;
  /** Values of the symbols that the code refers to; operands' `symbol` indexes this. */
  readonly slots: readonly LoadedSlot[];
  /** Paths of the module's `.file` entries by their index. */
  readonly files: ReadonlyMap<number, string>;
  /** Set for functions that the system provides (vprintf, malloc ...): they have no code. */
  readonly system?: SystemFunction;
}

export interface LoadedKernel {
  readonly name: string;
  readonly function: LoadedFunction;
  readonly info: KernelInfo;
  /** Bytes of a block's shared memory that are the system's, in front of the program's: 1024 from sm_90 on. */
  readonly systemSharedBytes: number;
  /** SM number of the image's target. */
  readonly sm: number;
  /** Of the process's addresses. */
  readonly addressBits: 32 | 64;
}

/** A module variable in memory. Addresses are generic; shared variables have none. */
export interface LoadedVariable {
  readonly name: string;
  /** The module's file, which distinguishes static variables of one name: `NAME@MODULE`. */
  readonly module: string;
  readonly symbol: VariableSymbol;
  readonly address: Address;
  readonly size: number;
}

/** State besides memory that launches leave for later ones. */
export interface History {
  /** Of all launches that have ended. */
  warpInstructions: number;
  /** The host's names of buffers, by address: for messages. */
  readonly names: Map<number, string>;
  /** Texts of the system's that kernels may read, each at an address of its own. */
  readonly texts: Map<string, Address>;
}

/** A loaded image: device memory, kernels and module variables with their addresses. */
export interface Process {
  readonly history: History;
  readonly image: LinkedImage;
  /** How generic addresses are laid out. */
  readonly space: AddressSpace;
  readonly memory: Memory;
  /** Images, textures and surfaces. */
  readonly images: Images;
  readonly kernels: ReadonlyMap<string, LoadedKernel>;
  readonly variables: readonly LoadedVariable[];
  /** Where each section of the image has been placed; undefined for those that have no place before a launch. */
  readonly sectionBases: readonly (Address | undefined)[];
  /**
   * The constant bank: user constants, from offset 0, and behind them, where PTX is so old, the banks 1 to 10 of 64 KiB
   * each, which the host fills; its generic window is in address-space.ts.
   */
  readonly constants: Region;
  /** Bytes at the start of each thread's local memory for the modules' own .local variables and registers. */
  readonly threadBytes: number;
  functionAt(address: number): LoadedFunction | undefined;
  /** The undefined symbol that an address was made of: the driver's, or one that the linker was told to allow. */
  unresolvedAt(address: number): Pick<ObjectSymbol, "kind" | "name"> | undefined;
}
