// The log of issued instructions that generated code writes in observed launches; issue-report.ts reports it to the observer.
// Each block appends a record to a log in the arena: function, block, the group's lanes, the lanes of each guarded instruction,
// and a row of 32 addresses for each access to memory. The log is read when generated code comes back, in the order in which
// blocks ran. (Rejected: a call of the host for each access, which costs as much as interpreting it.)

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { ArenaBlock } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../state/frame.js";
import type { AccessedSpace } from "../state/observer.js";
import type { AccessPlan } from "./access-plan.js";
import { elementBytes } from "./elements.js";
import { CONTEXT } from "./context.table.js";
import type { Graph } from "./graph.js";
import type { Lanes } from "./lanes.js";
import type { Lowered } from "./segment.js";

/** The form of a memory access in a record. */
export type LoggedAccess =
  /** Not logged: the address is constant. */
  | { readonly kind: "fixed"; readonly space: AccessedSpace; readonly address: number; readonly bytes: number }
  /** A row with the sum of a register and an offset: an offset in shared memory, or a generic address. */
  | {
      readonly kind: "register";
      readonly register: number;
      readonly offset: number;
      readonly isShared: boolean;
      readonly bytes: number;
      readonly row: number;
    }
  /** A row of addresses that the interpreter reported, followed by space, bytes and barrier. */
  | { readonly kind: "interpreted"; readonly row: number };

export interface LoggedInstruction {
  readonly pc: number;
  /** Offset of the mask of lanes whose guard held; -1: all lanes of the group. */
  readonly guard: number;
  readonly access: LoggedAccess | undefined;
}

/** One instruction, or several from `pc` to `last` without guards and accesses. */
export interface LoggedPart extends LoggedInstruction {
  readonly last: number;
}

/** The layout of a block's record, in byte offsets. */
export interface LoggedBlock {
  readonly bytes: number;
  readonly instructions: readonly LoggedInstruction[];
  readonly parts: readonly LoggedPart[];
}

/** Byte offsets of the words that every record starts with. */
export const RECORD = { fn: 0, block: 4, mask: 8, guards: 12 } as const;
const ROW_BYTES = 32 * 8;
/** Indices of the doubles of a row that the interpreter reported. */
export const INTERPRETED = { space: 32, bytes: 33, barrier: 34, end: 35 } as const;
export const spaces = ["global", "shared", "local", "const", "param"] as const satisfies readonly AccessedSpace[];
/** Bytes of the log, and bytes reserved at its end for the record of one block. */
export const LOG_BYTES = 2 ** 20;
export const LONGEST_RECORD = 2 ** 17;

/** The log of an engine. */
export interface IssueLog {
  readonly offset: number;
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

export const createIssueLog = ({ bytes: { buffer, byteOffset }, offset }: ArenaBlock): IssueLog => ({
  offset,
  words: new Int32Array(buffer, byteOffset, LOG_BYTES / 4),
  doubles: new Float64Array(buffer, byteOffset, LOG_BYTES / 8),
});

/** The part of a function's code that logging depends on. */
interface LoggedCode {
  readonly program: Program;
  readonly process: Process;
  readonly graph: Graph;
  readonly loweredOf: (pc: number) => Lowered | undefined;
}

/** The form of an access with a plan; undefined: the interpreter must execute it. */
export function loggedAccess(
  { program, process }: Pick<LoggedCode, "program" | "process">,
  { place, elements }: AccessPlan,
  row = 0,
): LoggedAccess | undefined {
  // An address of shared memory names a block of the cluster.
  if (program.isClustered || process.space.bits !== 64) return undefined;
  const bytes = elementBytes(elements);
  switch (place.kind) {
    case "fixed": {
      const space = place.base === "parameters" ? "param" : place.base === "constants" ? "const" : undefined;
      return space && { kind: "fixed", space, address: place.offset, bytes };
    }
    case "window": {
      const { register, offset } = place.address;
      if (place.space !== "shared") return undefined;
      return register === undefined
        ? { kind: "fixed", space: "shared", address: offset, bytes }
        : { kind: "register", register, offset, isShared: true, bytes, row };
    }
    case "global":
    case "generic": {
      const { register, offset } = place.address;
      if (register === undefined || program.registerPlace(register).stride !== 2) return undefined;
      return { kind: "register", register, offset, isShared: false, bytes, row };
    }
    default:
      return undefined;
  }
}

/** The record of a block. */
export function loggedBlock(unit: LoggedCode, block: number): LoggedBlock {
  const { program, graph } = unit;
  const { start, end } = graph.blocks[block]!;
  const steps = program.steps.slice(start, end);
  let guard: number = RECORD.guards;
  let row = 8 * Math.ceil((RECORD.guards + 4 * steps.filter((step) => step.guard >= 0).length) / 8);
  const instructions = steps.map((step, i): LoggedInstruction => {
    const pc = start + i;
    const guardHere = step.guard < 0 ? -1 : guard;
    if (step.guard >= 0) guard += 4;
    if (!step.memory) return { pc, guard: guardHere, access: undefined };
    const lowered = unit.loweredOf(pc);
    const ofPlan = lowered?.kind === "access" ? loggedAccess(unit, lowered.plan, row) : undefined;
    const access: LoggedAccess = ofPlan ?? { kind: "interpreted", row };
    row += access.kind === "fixed" ? 0 : access.kind === "interpreted" ? 8 * INTERPRETED.end : ROW_BYTES;
    return { pc, guard: guardHere, access };
  });
  return { bytes: row, instructions, parts: partsOf(instructions) };
}

function partsOf(instructions: readonly LoggedInstruction[]): readonly LoggedPart[] {
  const parts: LoggedPart[] = [];
  for (const one of instructions) {
    const before = parts.at(-1);
    if (isOfStretch(one) && before !== undefined && isOfStretch(before))
      parts[parts.length - 1] = { ...before, last: one.pc };
    else parts.push({ ...one, last: one.pc });
  }
  return parts;
}

/** Whether it is issued for all lanes of the group, and accesses no memory. */
export const isOfStretch = ({ guard, access }: LoggedInstruction): boolean => guard < 0 && access === undefined;

// ------------------------------------------------------------------------------------------------------ generated code

/** Sets `log` to the start of the block's record, and writes the record's first words. */
export function beginRecord(code: CodeWriter, context: Local, mask: Local, log: Local, block: number): void {
  code.get(context).memory("i32.load", CONTEXT.log).set(log);
  code.get(log).get(context).memory("i32.load", CONTEXT.fn).memory("i32.store", RECORD.fn);
  code.get(log).i32(block).memory("i32.store", RECORD.block);
  code.get(log).get(mask).memory("i32.store", RECORD.mask);
}

/** Completes the record. */
export function endRecord(code: CodeWriter, context: Local, log: Local, { bytes }: LoggedBlock): void {
  code.get(context).get(log).i32(bytes).op("i32.add").memory("i32.store", CONTEXT.log);
}

/** Logs the lanes for which an instruction's guard held; `push` pushes them. */
export function logGuard(code: CodeWriter, log: Local, { guard }: LoggedInstruction, push: () => void): void {
  code.get(log);
  push();
  code.memory("i32.store", guard);
}

const doubleBits = (value: number): bigint => new BigInt64Array(Float64Array.of(value).buffer)[0]!;

/** Code for four lanes: their addresses, before the access is made. */
export function logAddresses(lanes: Lanes, log: Local, access: LoggedAccess | undefined): void {
  if (access?.kind !== "register") return;
  const { code, first, temporary } = lanes;
  const { register, offset, isShared, row } = access;
  const operand = { kind: "register", register } as const;
  const isWide = lanes.strideOf(register) === 2;
  const [at, low] = [temporary("i32"), temporary("v128")];
  code.get(log).get(first).i32(3).op("i32.shl", "i32.add").set(at);
  let high: Local | undefined;
  if (isWide) {
    const [near, far] = [temporary("v128"), temporary("v128")];
    lanes.push64(operand, 0);
    code.set(near);
    lanes.push64(operand, 1);
    code.set(far);
    code.get(near).get(far).shuffleWords([0, 2, 4, 6]);
    if (!isShared) {
      high = temporary("v128");
      code.set(low).get(near).get(far).shuffleWords([1, 3, 5, 7]).set(high);
      code.get(low);
    }
  } else lanes.push32(operand);
  if (isShared) code.words(offset).op("i32x4.add");
  code.set(low);
  for (const half of [0, 1] as const) {
    const pushPair = (words: Local): void => {
      code.get(words);
      if (half === 1) code.get(words).shuffleWords([2, 3, 2, 3]);
    };
    code.get(at);
    if (high !== undefined) {
      pushPair(high);
      code
        .op("f64x2.convert_low_i32x4_s")
        .longs(doubleBits(2 ** 32))
        .op("f64x2.mul");
    }
    pushPair(low);
    code.op("f64x2.convert_low_i32x4_u");
    if (high !== undefined) code.op("f64x2.add").longs(doubleBits(offset)).op("f64x2.add");
    code.memory("v128.store", row + 16 * half);
  }
}
