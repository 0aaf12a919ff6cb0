// Code for four lanes at a time, as a lowering sees it: operands are pushed, results are taken from the stack. What is behind
// it is in create-lanes.ts.

import type { CodeWriter, Local, ValueType } from "../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../state/frame.js";

/** Stands for the carry flag where a predicate's register is named. */
export const CARRY = -1;

export type WordView = "s8" | "u8" | "s16" | "u16" | "s32" | "u32";

/** The number of a function that code calls, by a name of its own. */
export type NumberOf = (name: string, make: () => CodeWriter) => number;

export interface Lanes {
  readonly program: Program;
  readonly process: Process;
  /** The host's multiply-add of f32 is exact (probe.ts). */
  readonly isFused: boolean;
  /** Where the tables of the special function unit are (mufu/memory.ts). */
  readonly mufu: number;
  /** Runs once before the lanes, for each four of them, and afterwards. */
  before: CodeWriter;
  code: CodeWriter;
  readonly context: Local;
  /** The mask of the group of threads, the first of the four lanes, and which of the four are in the mask. */
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
  /** Pushes 32 bits of each lane; upper bits of smaller registers are whatever they are. */
  push32(operand: Operand): void;
  pushView(operand: Operand, view: WordView): void;
  /** Pushes an f32 of each lane, whose NaN may be any. */
  pushFloat(operand: Operand): void;
  /** Pushes 64 bits of lanes 0 and 1, or 2 and 3. */
  push64(operand: Operand, half: 0 | 1): void;
  /** Pushes ones for lanes where the predicate holds. */
  pushPredicate(operand: Operand): void;
  /** Takes a result from the stack; a register of 64 bits gets it extended. */
  write32(operand: Operand, sign?: "s" | "u"): void;
  /** The same; the NaN is made what it has to be when needed. */
  writeFloat(operand: Operand): void;
  write64(operand: Operand, half: 0 | 1): void;
  writePredicate(operand: Operand): void;
  /** Bytes from register to register of the words. */
  strideOf(register: number): number;
  versionOf(register: number): number;
  /** Begins an instruction, ends it. */
  begin(instruction: Instruction): void;
  finish(): void;
  /** Begins a segment: nothing is in locals. */
  reset(before: CodeWriter, code: CodeWriter): void;
  /** Writes the group's results to the frame; `isWanted` selects the lanes. */
  store(isWanted: (register: number) => boolean): void;
  /** Predicates that the segment wrote: word in the frame, local with the bits. */
  readonly written: () => readonly { readonly word: number; readonly bits: Local }[];
}

export interface LaneLocals {
  readonly context: Local;
  readonly mask: Local;
  readonly first: Local;
  readonly four: Local;
  /** Addresses of word 0 of the group's four lanes, for 32 and for 64 bits; of the words. */
  readonly at32: Local;
  readonly at64: Local;
  readonly words: Local;
}
