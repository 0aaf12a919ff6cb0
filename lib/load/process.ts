// A loaded image: memory with the module's variables in it, relocations applied, functions found by address. Engines run it, and
// host programs access it. This file does not depend on how instructions are executed.

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

/** A function ready to run, whose code is decoded on first use. */
export interface LoadedFunction {
  readonly name: string;
  readonly symbol: CodeSymbol;
  /** Code address: the value of a pointer to the function. */
  readonly address: Address;
  /** Source file (the PTX module), for messages. */
  readonly file: string;
  readonly code: Code;
  /** Values of the symbols that the code refers to, indexed by operands' `symbol`. */
  readonly slots: readonly LoadedSlot[];
  /** Paths of the module's `.file` entries by their index. */
  readonly files: ReadonlyMap<number, string>;
  /** Set for functions that the system provides (vprintf, malloc ...), which have no code. */
  readonly system?: SystemFunction;
}

export interface LoadedKernel {
  readonly name: string;
  readonly function: LoadedFunction;
  readonly info: KernelInfo;
  /** Bytes of a block's shared memory that the system reserves before the program's: 1024 from sm_90 on. */
  readonly systemSharedBytes: number;
  /** SM number of the image's target. */
  readonly sm: number;
  /** Bits of the process's addresses. */
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

/** State besides memory that remains from one launch to the next. */
export interface History {
  /** Warp instructions of all launches that have ended. */
  warpInstructions: number;
  /** The host's names of buffers, by address: for messages. */
  readonly names: Map<number, string>;
  /** Addresses of the system's strings that kernels may read. */
  readonly texts: Map<string, Address>;
}

/** A loaded image: device memory, kernels and module variables with their addresses. */
export interface Process {
  readonly history: History;
  readonly image: LinkedImage;
  /** Layout of generic addresses. */
  readonly space: AddressSpace;
  readonly memory: Memory;
  /** Images, textures and surfaces. */
  readonly images: Images;
  readonly kernels: ReadonlyMap<string, LoadedKernel>;
  readonly variables: readonly LoadedVariable[];
  /** Address of each section of the image; undefined for sections that have no address before a launch. */
  readonly sectionBases: readonly (Address | undefined)[];
  /**
   * The constant bank: user constants from offset 0. For PTX 1.5 to 2.1, the banks 1 to 10 of 64 KiB each follow, which the host
   * fills. Its generic window is in address-space.ts.
   */
  readonly constants: Region;
  /** Bytes at the start of each thread's local memory for the modules' own .local variables and registers. */
  readonly threadBytes: number;
  functionAt(address: number): LoadedFunction | undefined;
  /** The undefined symbol that an address was made for: the driver's, or one that the link permitted to stay undefined. */
  unresolvedAt(address: number): Pick<ObjectSymbol, "kind" | "name"> | undefined;
}
