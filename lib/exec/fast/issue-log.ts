// What generated code of observed launches writes down while it runs, and how an observer is told of it (../state/observer.ts). Each
// block appends a record to a log in the arena: function, block, the group's lanes, the lanes of each guarded instruction, and a row of
// 32 addresses for each access to memory. The log is read when generated code comes back, in the order in which blocks ran.
// (Rejected: a call of the host for each access, which costs as much as interpreting it.)

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Stretch } from "../../load/arena.js";
import { spaceOf, windowBase } from "../../load/address-space.js";
import type { Frame } from "../state/frame.js";
import type { Access, AccessedSpace, IssueObserver } from "../state/observer.js";
import type { Warp } from "../state/warp.js";
import type { AccessPlan } from "./access-plan.js";
import { elementBytes } from "./elements.js";
import { CONTEXT } from "./context.table.js";
import { contextWord, type EngineState, setContext } from "./engine-state.js";
import type { Lanes } from "./lanes.js";
import type { Unit } from "./unit.js";

/** How an access to memory is in a record. */
type LoggedAccess =
  /** Not at all: the same address always. */
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
  /** A row as the interpreter's instruction gave it to the observer, and behind it space, bytes and barrier. */
  | { readonly kind: "interpreted"; readonly row: number };

interface LoggedInstruction {
  readonly pc: number;
  /** Where the lanes are for which its guard held; -1: all of the group. */
  readonly guard: number;
  readonly access: LoggedAccess | undefined;
}

/** A block's record: byte offsets in it. */
export interface LoggedBlock {
  readonly bytes: number;
  readonly instructions: readonly LoggedInstruction[];
}

/** Words of a record that all blocks have. */
const RECORD = { fn: 0, block: 4, mask: 8, guards: 12 } as const;
const ROW_BYTES = 32 * 8;
/** Doubles of a row of the interpreter's. */
const INTERPRETED = { space: 32, bytes: 33, barrier: 34, end: 35 } as const;
const spaces = ["global", "shared", "local", "const", "param"] as const satisfies readonly AccessedSpace[];
/** Bytes of the log, and those that the longest block may take behind its last full place. */
export const LOG_BYTES = 2 ** 20;
const LONGEST_RECORD = 2 ** 17;

/** The log of an engine. */
export interface IssueLog {
  readonly offset: number;
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

export const createIssueLog = ({ bytes: { buffer, byteOffset }, offset }: Stretch): IssueLog => ({
  offset,
  words: new Int32Array(buffer, byteOffset, LOG_BYTES / 4),
  doubles: new Float64Array(buffer, byteOffset, LOG_BYTES / 8),
});

/** How an access with a plan is logged; undefined: the interpreter has to execute it. */
export function loggedAccess(
  { program, process }: Pick<Unit, "program" | "process">,
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
export function loggedBlock(unit: Unit, block: number): LoggedBlock {
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
  return { bytes: row, instructions };
}

// ------------------------------------------------------------------------------------------------------ generated code

/** Sets `log` to where the block's record begins, and fills in what it begins with. */
export function beginRecord(code: CodeWriter, context: Local, mask: Local, log: Local, block: number): void {
  code.get(context).memory("i32.load", CONTEXT.log).set(log);
  code.get(log).get(context).memory("i32.load", CONTEXT.fn).memory("i32.store", RECORD.fn);
  code.get(log).i32(block).memory("i32.store", RECORD.block);
  code.get(log).get(mask).memory("i32.store", RECORD.mask);
}

/** The record is complete. */
export function endRecord(code: CodeWriter, context: Local, log: Local, { bytes }: LoggedBlock): void {
  code.get(context).get(log).i32(bytes).op("i32.add").memory("i32.store", CONTEXT.log);
}

/** Of an instruction with a guard, the lanes for which it held; `push` pushes them. */
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

// ---------------------------------------------------------------------------------------------------------------- host

/** The record that is being written, in bytes behind the log's begin. */
const openRecord = (engine: EngineState): number => contextWord(engine, CONTEXT.log) - engine.log!.offset;

function loggedAt(engine: EngineState, unit: Unit, pc: number): LoggedInstruction {
  const { instructions } = unit.loggedOf(contextWord(engine, CONTEXT.index));
  return instructions[pc - instructions[0]!.pc]!;
}

/** The interpreter has executed an instruction for the lanes of `active`. */
export function logStep(engine: EngineState, unit: Unit, { warp }: Frame, pc: number, active: number): void {
  const { log } = engine;
  if (log === undefined) return;
  const { guard, access } = loggedAt(engine, unit, pc);
  const record = openRecord(engine);
  if (guard >= 0) log.words[(record + guard) >> 2] = active;
  if (access?.kind !== "interpreted" || active === 0) return;
  const { space, bytes, barrier, addresses } = warp.block.launch.access;
  const row = (record + access.row) >> 3;
  log.doubles.set(addresses, row);
  log.doubles[row + INTERPRETED.space] = spaces.indexOf(space);
  log.doubles[row + INTERPRETED.bytes] = bytes;
  log.doubles[row + INTERPRETED.barrier] = barrier;
}

/** The interpreter is about to execute an instruction of a segment for the lanes of `active`, which are others than those before. */
export function logRest(engine: EngineState, unit: Unit, frame: Frame, pc: number, active: number): void {
  const { log } = engine;
  if (log === undefined) return;
  const { access } = loggedAt(engine, unit, pc);
  if (access?.kind !== "register") return;
  const { words, unsigned } = frame;
  const { word, stride } = frame.program.registerPlace(access.register);
  const row = (openRecord(engine) + access.row) >> 3;
  for (let lane = 0; lane < 32; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = word + stride * lane;
    log.doubles[row + lane] = access.isShared
      ? (unsigned[at]! + access.offset) >>> 0
      : words[at + 1]! * 2 ** 32 + unsigned[at]! + access.offset;
  }
}

/** A fault ends the block at `pc`: guards of the instructions before it, from `from` on, hold for the lanes that `activeAt` answers. */
export function logFault(
  engine: EngineState,
  unit: Unit,
  from: number,
  pc: number,
  activeAt: (pc: number) => number,
): void {
  const { log } = engine;
  if (log === undefined) return;
  for (let at = from; at < pc; at++) {
    const { guard } = loggedAt(engine, unit, at);
    if (guard >= 0) log.words[(openRecord(engine) + guard) >> 2] = activeAt(at);
  }
}

/** Begins an empty log. */
export function clearLog(engine: EngineState): void {
  if (engine.log === undefined) return;
  setContext(engine, CONTEXT.log, engine.log.offset);
  setContext(engine, CONTEXT.logEnd, engine.log.offset + LOG_BYTES - LONGEST_RECORD);
}

/** Tells the warp's observer what is in the log, and with `faultPc` what the block that is at fault has issued before that pc. */
export function reportLog(engine: EngineState, warp: Warp, faultPc?: number): void {
  const { log } = engine;
  const { observer } = warp.block;
  if (log === undefined || observer === undefined) return;
  const end = openRecord(engine);
  let at = 0;
  while (at < end) at += reportRecord(engine, log, at, warp, observer, Infinity);
  if (faultPc !== undefined) reportRecord(engine, log, at, warp, observer, faultPc);
}

function reportRecord(
  { units }: EngineState,
  { words, doubles }: IssueLog,
  record: number,
  warp: Warp,
  observer: IssueObserver,
  end: number,
): number {
  const base = record >> 2;
  const unit = units.get(words[base + (RECORD.fn >> 2)]!)!;
  const mask = words[base + (RECORD.mask >> 2)]!;
  const { fn } = unit.program;
  const { access: told } = warp.block.launch;
  const { bytes, instructions } = unit.loggedOf(words[base + (RECORD.block >> 2)]!);
  for (const { pc, guard, access } of instructions) {
    if (pc >= end) break;
    const active = guard < 0 ? mask : words[base + (guard >> 2)]!;
    if (access === undefined || active === 0) observer.issue(warp.index, fn, pc, mask, active, undefined);
    else {
      fillAccess(told, access, doubles, record, active);
      observer.issue(warp.index, fn, pc, mask, active, told);
    }
  }
  return bytes;
}

function fillAccess(told: Access, access: LoggedAccess, doubles: Float64Array, record: number, active: number): void {
  const { addresses } = told;
  if (access.kind === "fixed") {
    told.space = access.space;
    told.bytes = access.bytes;
    addresses.fill(access.address);
    return;
  }
  const row = (record + access.row) >> 3;
  for (let lane = 0; lane < 32; lane++) addresses[lane] = doubles[row + lane]!;
  if (access.kind === "interpreted") {
    told.space = spaces[doubles[row + INTERPRETED.space]!]!;
    told.bytes = doubles[row + INTERPRETED.bytes]!;
    told.barrier = doubles[row + INTERPRETED.barrier]!;
    return;
  }
  told.bytes = access.bytes;
  told.space = access.isShared ? "shared" : "global";
  if (!access.isShared) intoSpaces(told, active);
}

/** First address behind global memory. */
const GLOBAL_END = windowBase("shared");

/** Generic addresses in windows become offsets there; the last lane's space is that of the access. */
function intoSpaces(told: Access, active: number): void {
  const { addresses } = told;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const address = addresses[lane]!;
    if (address < GLOBAL_END) {
      told.space = "global";
      continue;
    }
    const space = spaceOf(address) ?? "global";
    told.space = space;
    if (space !== "global") addresses[lane] = address - windowBase(space);
  }
}
