// What a launch answers.

/** Why a kernel stopped. Names are the contract's (CONTRACT.md, `fault.kind`). */
export type FaultKind =
  | "illegal-address"
  | "misaligned-address"
  | "trap"
  | "assert"
  | "deadlock"
  | "instruction-limit"
  | "stack-overflow"
  | "interrupted";

export interface Fault {
  readonly kind: FaultKind;
  readonly message: string;
  readonly kernel: string;
  readonly block?: readonly [number, number, number];
  readonly thread?: readonly [number, number, number];
  /** Source place of the instruction: the .loc's file and line when there is one, else the PTX file and line. */
  readonly file?: string;
  readonly line?: number;
  readonly address?: number;
  /** Where each stuck warp stands, for deadlocks and limits. */
  readonly details?: readonly string[];
}

export interface LaunchConfig {
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly cluster?: readonly [number, number, number];
  /** Dynamic shared memory, bytes. */
  readonly sharedBytes: number;
  /** The packed parameter block (load/parameters.ts). */
  readonly parameters: Uint8Array;
}

export interface LaunchResult {
  readonly kernel: string;
  /** One for each instruction issued for a group of lanes executing together, predicated-off ones included. */
  readonly warpInstructions: number;
  /** Lanes whose guard was true, summed over those. */
  readonly threadInstructions: number;
  /** What the kernel printed, in block order. */
  readonly printf: string;
  readonly fault?: Fault;
}
