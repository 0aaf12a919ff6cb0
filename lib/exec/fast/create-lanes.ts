// Code for four lanes at a time: where a block's registers are while it runs. A register's value comes from the frame when it
// is first read, lives in locals (one v128 for four lanes of 32 bits, two for 64), and goes back when the segment ends,
// if anybody wants it. A predicate is a v128 of all ones and zeros while it is in a local, and a bit of a word in the frame.
//
// A result that may be a NaN of any kind ("loose") becomes the NaN that PTX asks for only when somebody looks at its bits.

import { F32_NAN_BITS } from "../../base/num/bits.js";
import { InternalError } from "../../base/assert.js";
import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Guard } from "../../isa/instruction.js";
import type { Process } from "../../load/process.js";
import type { Program } from "../frame.js";
import { CONTEXT } from "./context.table.js";
import { CARRY, type LaneLocals, type Lanes, type NumberOf } from "./lanes.js";
import { pushOther } from "./operands.js";
import { createPool } from "./pool.js";

interface Home {
  readonly locals: readonly Local[];
  /** Holds the value of this group of lanes. */
  isValid: boolean;
  isDirty: boolean;
  /** May be any NaN. */
  isLoose: boolean;
  /** Counts values: an address that was looked at is another one then. */
  version: number;
}

interface Flag {
  readonly local: Local;
  /** Bits of all lanes so far. */
  readonly bits: Local;
  isValid: boolean;
  isDirty: boolean;
}

export function createLanes(
  program: Program,
  process: Process,
  isFused: () => boolean,
  mufu: number,
  main: CodeWriter,
  locals: LaneLocals,
  numberOf: NumberOf,
): Lanes {
  const homes = new Map<number, Home>();
  const flags = new Map<number, Flag>();
  const temporaries = createPool(main);
  // A separate pool: values set once before the lanes must survive the instructions before their use.
  const kept = createPool(main);
  const { context, mask, first, four, at32, at64, words } = locals;

  const home = (register: number): Home => {
    let found = homes.get(register);
    if (found === undefined) {
      const { stride } = program.registerPlace(register);
      const count = stride === 2 ? 2 : 1;
      const own = Array.from({ length: count }, () => main.local("v128"));
      homes.set(register, (found = { locals: own, isValid: false, isDirty: false, isLoose: false, version: 0 }));
    }
    return found;
  };
  /** The register's locals, holding its value. */
  const loaded = (register: number): Home => {
    const it = home(register);
    if (it.isValid) return it;
    const { word } = program.registerPlace(register);
    it.locals.forEach((local, half) => {
      const base = it.locals.length === 2 ? at64 : at32;
      lanes.code
        .get(base)
        .memory("v128.load", 4 * word + 16 * half)
        .set(local);
    });
    it.isValid = true;
    return it;
  };
  const settle = (it: Home): void => {
    if (!it.isLoose) return;
    const [local] = it.locals;
    lanes.code.get(local!);
    settleNaN();
    lanes.code.set(local!);
    it.isLoose = false;
  };
  /** The f32 on the stack, with the one NaN in place of any other. */
  const settleNaN = (): void => {
    const { code } = lanes;
    const value = temporaries.take("v128");
    code.tee(value).words(F32_NAN_BITS).get(value).get(value).op("f32x4.eq", "v128.bitselect");
  };

  const flagWord = (register: number): number =>
    register === CARRY ? program.carry!.word : program.registerPlace(register).word;
  const flag = (register: number): Flag => {
    let found = flags.get(register);
    if (found === undefined) {
      found = { local: main.local("v128"), bits: main.local("i32"), isValid: false, isDirty: false };
      flags.set(register, found);
    }
    return found;
  };
  const loadedFlag = (register: number): Flag => {
    const it = flag(register);
    if (it.isValid) return it;
    const { code } = lanes;
    code
      .get(words)
      .memory("i32.load", 4 * flagWord(register))
      .get(first)
      .op("i32.shr_u");
    code.i32(15).op("i32.and");
    pushMask();
    code.set(it.local);
    it.isValid = true;
    return it;
  };
  /** From four bits on the stack to four words of ones and zeros. */
  const pushMask = (): void => {
    lanes.code.i32(4).op("i32.shl").get(context).op("i32.add").memory("v128.load", CONTEXT.masks);
  };

  const pushLow = (it: Home): void => {
    if (it.locals.length === 1) lanes.code.get(it.locals[0]!);
    else lanes.code.get(it.locals[0]!).get(it.locals[1]!).shuffleWords([0, 2, 4, 6]);
  };

  /** Stores the top of the stack in the lanes whose guard holds. */
  const assign = (it: Home, half: number, isWide: boolean): void => {
    const local = it.locals[half]!;
    const { code, guard } = lanes;
    if (guard !== undefined) {
      code.get(local).get(guard);
      if (isWide) code.get(guard).shuffleWords(half === 0 ? [0, 0, 1, 1] : [2, 2, 3, 3]);
      code.op("v128.bitselect");
    }
    code.set(local);
  };
  /** About to be written: a guard keeps the old value in other lanes. */
  const target = (register: number): Home => {
    const it = lanes.guard === undefined ? home(register) : loaded(register);
    it.isDirty = true;
    it.version++;
    return it;
  };
  const written = (it: Home, isLoose: boolean): void => {
    if (lanes.guard === undefined) it.isLoose = isLoose;
    it.isValid = true;
  };

  const lanes: Lanes = {
    program,
    process,
    // Asked by who needs it: to find out takes milliseconds.
    get isFused() {
      return isFused();
    },
    mufu,
    before: main,
    code: main,
    context,
    mask,
    first,
    four,
    instruction: undefined as never,
    guard: undefined,
    depth: 0,
    operand(index) {
      const operand = lanes.instruction.operands[index];
      if (operand === undefined) throw new InternalError(`${lanes.instruction.opcode.spelling}: no operand ${index}`);
      return operand;
    },
    call: (name, make) => void lanes.code.call(numberOf(name, make)),
    temporary: temporaries.take,
    keep: kept.take,
    push32(operand) {
      if (operand.kind === "register") {
        const it = loaded(operand.register);
        settle(it);
        pushLow(it);
      } else pushOther(lanes, operand, 32, 0);
    },
    pushView(operand, view) {
      lanes.push32(operand);
      const bits = Number(view.slice(1));
      if (bits === 32) return;
      if (view.startsWith("u")) lanes.code.words(2 ** bits - 1).op("v128.and");
      else
        lanes.code
          .i32(32 - bits)
          .op("i32x4.shl")
          .i32(32 - bits)
          .op("i32x4.shr_s");
    },
    pushFloat(operand) {
      if (operand.kind === "register") pushLow(loaded(operand.register));
      else pushOther(lanes, operand, 32, 0);
    },
    push64(operand, half) {
      if (operand.kind === "register") {
        const it = loaded(operand.register);
        settle(it);
        lanes.code.get(it.locals[half]!);
      } else pushOther(lanes, operand, 64, half);
    },
    pushPredicate(operand) {
      const { code } = lanes;
      if (operand.kind === "immediate") code.words((operand.bits & 1n) === 0n ? 0 : -1);
      else if (operand.kind === "register") {
        code.get(loadedFlag(operand.register).local);
        if (operand.negated === true) code.op("v128.not");
      } else throw new InternalError(`a predicate operand of kind ${operand.kind}`);
    },
    write32(operand, sign = "u") {
      const { code } = lanes;
      if (operand.kind !== "register") {
        code.op("drop");
        return;
      }
      const it = target(operand.register);
      if (it.locals.length === 1) assign(it, 0, false);
      else {
        const value = lanes.temporary("v128");
        code.set(value);
        for (const half of [0, 1] as const) {
          code.get(value).op(`i64x2.extend_${half === 0 ? "low" : "high"}_i32x4_${sign}`);
          assign(it, half, true);
        }
      }
      written(it, false);
    },
    writeFloat(operand) {
      // In a wider register its bits alone, as cvt has it.
      const isWord = operand.kind === "register" && home(operand.register).locals.length === 1;
      if (!isWord || lanes.guard !== undefined) {
        settleNaN();
        lanes.write32(operand);
        return;
      }
      const it = target(operand.register);
      assign(it, 0, false);
      written(it, true);
    },
    write64(operand, half) {
      if (operand.kind !== "register") {
        lanes.code.op("drop");
        return;
      }
      const it = target(operand.register);
      assign(it, half, true);
      written(it, false);
    },
    writePredicate(operand) {
      const { code, guard } = lanes;
      if (operand.kind !== "register") {
        code.op("drop");
        return;
      }
      const it = guard === undefined ? flag(operand.register) : loadedFlag(operand.register);
      if (guard !== undefined) code.get(it.local).get(guard).op("v128.bitselect");
      code.set(it.local);
      it.isValid = true;
      it.isDirty = true;
    },
    strideOf: (register) => program.registerPlace(register).stride,
    versionOf: (register) => home(register).version,
    begin(instruction) {
      lanes.instruction = instruction;
      lanes.guard = guardOf(instruction.guard);
    },
    finish() {
      temporaries.release();
      lanes.guard = undefined;
    },
    reset(before, code) {
      lanes.before = before;
      lanes.code = code;
      kept.release();
      for (const it of homes.values()) {
        it.isValid = it.isDirty = false;
        it.isLoose = false;
        it.version++;
      }
      for (const it of flags.values()) it.isValid = it.isDirty = false;
    },
    store(isWanted) {
      storeRegisters(isWanted);
      for (const it of flags.values()) {
        if (!it.isDirty) continue;
        lanes.code.get(it.local).op("i32x4.bitmask").get(first).op("i32.shl");
        lanes.code.get(it.bits).op("i32.or").set(it.bits);
      }
    },
    written: () =>
      [...flags].filter(([, it]) => it.isDirty).map(([register, { bits }]) => ({ word: flagWord(register), bits })),
  };

  const guardOf = (guard: Guard | undefined): Local | undefined => {
    if (guard === undefined) return undefined;
    const it = loadedFlag(guard.register);
    const local = lanes.temporary("v128");
    lanes.code.get(it.local);
    if (guard.negated) lanes.code.op("v128.not");
    lanes.code.set(local);
    return local;
  };

  const storeRegisters = (isWanted: (register: number) => boolean): void => {
    const { code } = lanes;
    const dirty = [...homes].filter(([register, it]) => it.isDirty && isWanted(register));
    if (dirty.length === 0) return;
    for (const [, it] of dirty) settle(it);
    const each = (put: (local: Local, at: Local, offset: number, half: 0 | 1 | undefined) => void): void => {
      for (const [register, it] of dirty) {
        const offset = 4 * program.registerPlace(register).word;
        if (it.locals.length === 1) put(it.locals[0]!, at32, offset, undefined);
        else for (const half of [0, 1] as const) put(it.locals[half]!, at64, offset + 16 * half, half);
      }
    };
    code.get(four).i32(15).op("i32.eq").if();
    each((local, at, offset) => code.get(at).get(local).memory("v128.store", offset));
    code.op("else");
    const some = temporaries.take("v128");
    code.get(four);
    pushMask();
    code.set(some);
    each((local, at, offset, half) => {
      code.get(at).get(local).get(at).memory("v128.load", offset).get(some);
      if (half !== undefined) code.get(some).shuffleWords(half === 0 ? [0, 0, 1, 1] : [2, 2, 3, 3]);
      code.op("v128.bitselect").memory("v128.store", offset);
    });
    code.op("end");
    temporaries.release();
  };
  return lanes;
}
