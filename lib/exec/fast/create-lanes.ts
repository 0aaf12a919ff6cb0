// Code for four lanes at a time: how operands are pushed and results taken. The registers' locals are in lane-registers.ts.

import type { CodeWriter } from "../../../formats/wasm/index.js";
import { InternalError } from "../../base/assert.js";
import type { Operand } from "../../isa/instruction.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../state/frame.js";
import {
  assign,
  flag,
  forgetAll,
  guardLocal,
  home,
  type LaneRegisters,
  loaded,
  loadedFlag,
  pushLow,
  settle,
  settleNaN,
  storeFlags,
  storeRegisters,
  target,
  written,
  writtenFlags,
} from "./lane-registers.js";
import type { LaneLocals, Lanes, NumberOf, WordView } from "./lanes.js";
import { pushOther } from "./operands.js";
import { createPool, type Pool } from "./pool.js";

export interface LaneOptions {
  readonly program: Program;
  readonly process: Process;
  /** Whether the host's multiply-add is exact; finding out takes milliseconds. */
  readonly isFused: () => boolean;
  /** Address of the special function unit's tables (mufu/memory.ts). */
  readonly mufu: number;
  readonly main: CodeWriter;
  readonly locals: LaneLocals;
  readonly numberOf: NumberOf;
}

/** `Lanes` with its registers, which use the same `guard` and `code`. */
interface LaneState extends Lanes, LaneRegisters {
  code: CodeWriter;
  guard: Lanes["guard"];
}

export function createLanes({ program, process, isFused, mufu, main, locals, numberOf }: LaneOptions): Lanes {
  const temporaries = createPool(main);
  // A pool apart from the temporaries: values that are set before the lanes must survive up to their use.
  const kept = createPool(main);
  const { context, mask, first, four } = locals;
  const lanes: LaneState = {
    ...{ program, process, mufu, main, locals, temporaries, context, mask, first, four },
    ...{ homes: new Map(), flags: new Map(), before: main, code: main, guard: undefined, depth: 0 },
    get isFused() {
      return isFused();
    },
    instruction: undefined as never,
    operand(index) {
      const operand = lanes.instruction.operands[index];
      if (operand === undefined) throw new InternalError(`${lanes.instruction.opcode.spelling}: no operand ${index}`);
      return operand;
    },
    call: (name, make) => void lanes.code.call(numberOf(name, make)),
    temporary: temporaries.take,
    keep: kept.take,
    push32: (operand) => push32(lanes, operand),
    pushView: (operand, view) => pushView(lanes, operand, view),
    pushFloat: (operand) => pushFloat(lanes, operand),
    push64: (operand, half) => push64(lanes, operand, half),
    pushPredicate: (operand) => pushPredicate(lanes, operand),
    write32: (operand, sign = "u") => write32(lanes, operand, sign),
    writeFloat: (operand) => writeFloat(lanes, operand),
    write64: (operand, half) => write64(lanes, operand, half),
    writePredicate: (operand) => writePredicate(lanes, operand),
    strideOf: (register) => program.registerPlace(register).stride,
    versionOf: (register) => home(lanes, register).version,
    begin(instruction) {
      lanes.instruction = instruction;
      lanes.guard = guardLocal(lanes, instruction.guard);
    },
    finish() {
      temporaries.release();
      lanes.guard = undefined;
    },
    reset: (before, code) => reset(lanes, kept, before, code),
    store(isWanted) {
      storeRegisters(lanes, isWanted);
      storeFlags(lanes);
    },
    written: () => writtenFlags(lanes),
  };
  return lanes;
}

function reset(lanes: LaneState, kept: Pool, before: CodeWriter, code: CodeWriter): void {
  lanes.before = before;
  lanes.code = code;
  kept.release();
  forgetAll(lanes);
}

function push32(lanes: LaneState, operand: Operand): void {
  if (operand.kind === "register") {
    const it = loaded(lanes, operand.register);
    settle(lanes, it);
    pushLow(lanes, it);
  } else pushOther(lanes, operand, 32, 0);
}

function pushView(lanes: LaneState, operand: Operand, view: WordView): void {
  push32(lanes, operand);
  const bits = Number(view.slice(1));
  if (bits === 32) return;
  if (view.startsWith("u")) lanes.code.words(2 ** bits - 1).op("v128.and");
  else
    lanes.code
      .i32(32 - bits)
      .op("i32x4.shl")
      .i32(32 - bits)
      .op("i32x4.shr_s");
}

function pushFloat(lanes: LaneState, operand: Operand): void {
  if (operand.kind === "register") pushLow(lanes, loaded(lanes, operand.register));
  else pushOther(lanes, operand, 32, 0);
}

function push64(lanes: LaneState, operand: Operand, half: 0 | 1): void {
  if (operand.kind === "register") {
    const it = loaded(lanes, operand.register);
    settle(lanes, it);
    lanes.code.get(it.locals[half]!);
  } else pushOther(lanes, operand, 64, half);
}

function pushPredicate(lanes: LaneState, operand: Operand): void {
  const { code } = lanes;
  if (operand.kind === "immediate") code.words((operand.bits & 1n) === 0n ? 0 : -1);
  else if (operand.kind === "register") {
    code.get(loadedFlag(lanes, operand.register).local);
    if (operand.negated === true) code.op("v128.not");
  } else throw new InternalError(`a predicate operand of kind ${operand.kind}`);
}

function write32(lanes: LaneState, operand: Operand, sign: "s" | "u"): void {
  const { code } = lanes;
  if (operand.kind !== "register") {
    code.op("drop");
    return;
  }
  const it = target(lanes, operand.register);
  if (it.locals.length === 1) assign(lanes, it, 0, false);
  else {
    const value = lanes.temporary("v128");
    code.set(value);
    for (const half of [0, 1] as const) {
      code.get(value).op(`i64x2.extend_${half === 0 ? "low" : "high"}_i32x4_${sign}`);
      assign(lanes, it, half, true);
    }
  }
  written(lanes, it, false);
}

function writeFloat(lanes: LaneState, operand: Operand): void {
  // A wider register gets the bits zero-extended, as from cvt.
  const isWord = operand.kind === "register" && home(lanes, operand.register).locals.length === 1;
  if (!isWord || lanes.guard !== undefined) {
    settleNaN(lanes);
    write32(lanes, operand, "u");
    return;
  }
  const it = target(lanes, operand.register);
  assign(lanes, it, 0, false);
  written(lanes, it, true);
}

function write64(lanes: LaneState, operand: Operand, half: 0 | 1): void {
  if (operand.kind !== "register") {
    lanes.code.op("drop");
    return;
  }
  const it = target(lanes, operand.register);
  assign(lanes, it, half, true);
  written(lanes, it, false);
}

function writePredicate(lanes: LaneState, operand: Operand): void {
  const { code, guard } = lanes;
  if (operand.kind !== "register") {
    code.op("drop");
    return;
  }
  const it = guard === undefined ? flag(lanes, operand.register) : loadedFlag(lanes, operand.register);
  if (guard !== undefined) code.get(it.local).get(guard).op("v128.bitselect");
  code.set(it.local);
  it.isValid = true;
  it.isDirty = true;
}
