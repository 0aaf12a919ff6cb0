// Reports to the observer what generated code has logged (issue-log.ts), and writes the records of instructions that the
// interpreter executes in between.

import { spaceOf, windowBase } from "../../load/address-space.js";
import type { LoadedFunction } from "../../load/process.js";
import type { Frame } from "../state/frame.js";
import type { Access, IssueObserver } from "../state/observer.js";
import type { Warp } from "../state/warp.js";
import { CONTEXT } from "./context.table.js";
import { contextWord, type EngineState, setContext } from "./engine-state.js";
import {
  INTERPRETED,
  type IssueLog,
  isOfStretch,
  LOG_BYTES,
  LONGEST_RECORD,
  type LoggedAccess,
  type LoggedInstruction,
  RECORD,
  spaces,
} from "./issue-log.js";
import type { Unit } from "./unit.js";

/** First address after global memory. */
const GLOBAL_END = windowBase("shared");

/** Offset of the current record in the log, in bytes. */
const openRecord = (engine: EngineState): number => contextWord(engine, CONTEXT.log) - engine.log!.offset;

function loggedAt(engine: EngineState, unit: Unit, pc: number): LoggedInstruction {
  const { instructions } = unit.loggedOf(contextWord(engine, CONTEXT.index));
  return instructions[pc - instructions[0]!.pc]!;
}

/** Logs an instruction that the interpreter has executed for the lanes of `active`. */
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

/** Logs the addresses of an instruction of a segment that the interpreter will execute for the remaining lanes, `active`. */
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

/** Completes the record of a block that faults at `pc`: `activeAt` gives the guard of each earlier instruction from `from` on. */
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

/** Empties the log. */
export function clearLog(engine: EngineState): void {
  if (engine.log === undefined) return;
  setContext(engine, CONTEXT.log, engine.log.offset);
  setContext(engine, CONTEXT.logEnd, engine.log.offset + LOG_BYTES - LONGEST_RECORD);
}

/** Reports the log to the warp's observer; with `faultPc`, also what the faulting block issued before that pc. */
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
  const { access: reported } = warp.block.launch;
  const { bytes, parts } = unit.loggedOf(words[base + (RECORD.block >> 2)]!);
  for (const part of parts) {
    const { pc, guard, access } = part;
    if (pc >= end) break;
    if (isOfStretch(part)) {
      reportStretch(observer, warp, fn, pc, Math.min(part.last, end - 1), mask);
      continue;
    }
    const active = guard < 0 ? mask : words[base + (guard >> 2)]!;
    if (access === undefined || active === 0) observer.issue(warp.index, fn, pc, mask, active, undefined);
    else {
      fillAccess(reported, access, doubles, record, active);
      observer.issue(warp.index, fn, pc, mask, active, reported);
    }
  }
  return bytes;
}

function reportStretch(
  observer: IssueObserver,
  { index }: Warp,
  fn: LoadedFunction,
  pc: number,
  last: number,
  mask: number,
): void {
  if (observer.issueStretch !== undefined) observer.issueStretch(index, fn, pc, last, mask);
  else for (let at = pc; at <= last; at++) observer.issue(index, fn, at, mask, mask, undefined);
}

function fillAccess(
  reported: Access,
  access: LoggedAccess,
  doubles: Float64Array,
  record: number,
  active: number,
): void {
  const { addresses } = reported;
  if (access.kind === "fixed") {
    reported.space = access.space;
    reported.bytes = access.bytes;
    addresses.fill(access.address);
    return;
  }
  const row = (record + access.row) >> 3;
  let last = 0;
  for (let lane = 0; lane < 32; lane++) {
    const address = doubles[row + lane]!;
    addresses[lane] = address;
    if (address > last) last = address;
  }
  if (access.kind === "interpreted") {
    reported.space = spaces[doubles[row + INTERPRETED.space]!]!;
    reported.bytes = doubles[row + INTERPRETED.bytes]!;
    reported.barrier = doubles[row + INTERPRETED.barrier]!;
    return;
  }
  reported.bytes = access.bytes;
  reported.space = access.isShared ? "shared" : "global";
  if (!access.isShared && last >= GLOBAL_END) intoSpaces(reported, active);
}

/** Generic addresses in windows become offsets there; the last lane's space is that of the access. */
function intoSpaces(reported: Access, active: number): void {
  const { addresses } = reported;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const address = addresses[lane]!;
    if (address < GLOBAL_END) {
      reported.space = "global";
      continue;
    }
    const space = spaceOf(address) ?? "global";
    reported.space = space;
    if (space !== "global") addresses[lane] = address - windowBase(space);
  }
}
