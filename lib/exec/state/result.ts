// The result of a launch.

import type { Dimensions } from "../../base/dimensions.js";

/** Why a kernel stopped. The names are part of the public format. */
export type FaultKind =
  | "illegal-address"
  | "misaligned-address"
  | "trap"
  | "assert"
  | "deadlock"
  | "instruction-limit"
  | "stack-overflow"
  | "interrupted";

/** Why a launch stopped: the kind, the thread, the instruction and its line. */
export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
  readonly kernel: string;
  readonly block?: Dimensions;
  readonly thread?: Dimensions;
  /** Source location of the instruction: the .loc's file and line if there is one, otherwise the PTX file and line. */
  readonly file?: string;
  readonly line?: number;
  readonly address?: number;
  /** Column of the .loc in force, from 1. */
  readonly column?: number;
  /** The instruction in PTX. */
  readonly ptx?: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly instruction: string;
  };
  /** The function that contains the instruction, and its callers with the locations of their calls, nearest first. */
  readonly function?: string;
  readonly callers?: readonly string[];
  /** Values of the instruction's registers in the faulting thread, as hexadecimal bits. */
  readonly operands?: Readonly<Record<string, string>>;
  /** Mask of the other lanes of the warp whose access fails, too. */
  readonly lanes?: number;
  /** The remedy, if the cause suggests a better one than the kind. */
  readonly remedy?: string;
  /** Further lines of text; for a launch that does not end, the contents of `threadLocations`. */
  readonly details?: readonly string[];
  /** For a deadlock, a limit or an interruption: the locations of all threads that have begun and not exited. */
  readonly threadLocations?: readonly ThreadLocation[];
}

export interface LaunchConfig {
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly cluster?: Dimensions;
  /** Dynamic shared memory, in bytes. */
  readonly sharedBytes: number;
  /** The packed parameter block (load/parameters.ts). */
  readonly parameters: Uint8Array;
  /** All blocks exist from the beginning, and the grid has a workspace for barriers (launch/cooperative.ts). */
  readonly cooperative?: boolean;
}

/** The result of a launch. */
export interface LaunchResult {
  readonly kernel: string;
  /** Number of instructions issued, one for each group of lanes that executes together, including predicated-off ones. */
  readonly warpInstructions: number;
  /** Lanes whose guard was true, summed over those instructions. */
  readonly threadInstructions: number;
  /** The kernel's output, in block order. */
  readonly printf: string;
  /** Number of grids that kernels launched, whose counts and text are included here; absent if there are none. */
  readonly nestedLaunches?: number;
  readonly fault?: Fault;
}

/** Warps that are at one instruction for one reason. */
export interface ThreadLocation {
  readonly kernel: string;
  /** The function that contains the instruction, and its callers, nearest first. */
  readonly function: string;
  readonly callers: readonly string[];
  /** Its opcode with modifiers, and its source location. */
  readonly instruction: string;
  readonly file: string;
  readonly line: number;
  /** The reason why it waits, as text; empty if it could continue. */
  readonly waits: string;
  /** Mask of the lanes that are there, of each of these warps. */
  readonly lanes: number;
  /** As text: "warps 0-31 of blocks 0-7". */
  readonly warps: string;
  readonly threads: number;
}
