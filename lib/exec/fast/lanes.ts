// Emits code for four lanes at a time, as a lowering uses it: operands are pushed, results are taken from the stack.
// create-lanes.ts implements it.

import type { CodeWriter, Local, ValueType } from "../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../state/frame.js";

/** Register number that denotes the carry flag where a predicate's register is named. */
export const CARRY = -1;

export type WordView = "s8" | "u8" | "s16" | "u16" | "s32" | "u32";

/** The number of the function of that name; `make` creates it at the first call. */
export type NumberOf = (name: string, make: () => CodeWriter) => number;

export interface Lanes {
  readonly program: Program;
  readonly process: Process;
  /** The host's multiply-add of f32 is exact (probe.ts). */
  readonly isFused: boolean;
  /** Address of the special function unit's tables (mufu/memory.ts). */
  readonly mufu: number;
  /** Code that runs once before the lanes, and code that runs for each four of them. */
  before: CodeWriter;
  code: CodeWriter;
  readonly context: Local;
  /** The mask of the group of threads, the first of the four lanes, and the bits of those of the four that are in the mask. */
  readonly mask: Local;
  readonly first: Local;
  readonly four: Local;
  instruction: Instruction;
  /** Lanes whose guard holds, as words of ones; undefined without a guard. */
  guard: Local | undefined;
  /** Nesting depth of blocks, loops and ifs at the current position. */
  depth: number;

  operand(index: number): Operand;
  /** Calls a function of generated code whose operands are on the stack; it is made once in a module. */
  call(name: string, make: () => CodeWriter): void;
  /** A local until the end of the instruction. */
  temporary(type: ValueType): Local;
  /** A local until the end of the segment. */
  keep(type: ValueType): Local;
  /** Pushes 32 bits of each lane; upper bits of smaller registers are undefined. */
  push32(operand: Operand): void;
  pushView(operand: Operand, view: WordView): void;
  /** Pushes an f32 of each lane; a NaN may have any bits. */
  pushFloat(operand: Operand): void;
  /** Pushes 64 bits of lanes 0 and 1, or 2 and 3. */
  push64(operand: Operand, half: 0 | 1): void;
  /** Pushes ones for lanes where the predicate holds. */
  pushPredicate(operand: Operand): void;
  /** Takes a result from the stack; a register of 64 bits receives it extended. */
  write32(operand: Operand, sign?: "s" | "u"): void;
  /** Takes an f32 from the stack; a NaN becomes canonical when its bits are read. */
  writeFloat(operand: Operand): void;
  write64(operand: Operand, half: 0 | 1): void;
  writePredicate(operand: Operand): void;
  /** Words per lane of the register; 0 for a predicate. */
  strideOf(register: number): number;
  versionOf(register: number): number;
  /** Begins an instruction, ends it. */
  begin(instruction: Instruction): void;
  finish(): void;
  /** Begins a segment: the locals hold no values. */
  reset(before: CodeWriter, code: CodeWriter): void;
  /** Writes the results of the four lanes to the frame; `isWanted` selects the registers. */
  store(isWanted: (register: number) => boolean): void;
  /** Predicates that the segment wrote: word in the frame, local with the bits. */
  readonly written: () => readonly { readonly word: number; readonly bits: Local }[];
}

export interface LaneLocals {
  readonly context: Local;
  readonly mask: Local;
  readonly first: Local;
  readonly four: Local;
  /** Addresses of the first lane's element at word 0, for registers of 32 and of 64 bits; address of the frame's words. */
  readonly at32: Local;
  readonly at64: Local;
  readonly words: Local;
}
