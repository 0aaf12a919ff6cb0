// Registers of four lanes while a block's code runs. A value is loaded from the frame when first read and lives in locals (one
// v128 for 32 bits of four lanes, two for 64). It is stored when the segment ends, if it is live then. A predicate is a v128 of
// all ones and zeros in a local, and a bit of a word in the frame.
//
// A result that may be a NaN of any kind ("loose") becomes PTX's one NaN only when its bits are read.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import { F32_NAN_BITS } from "../../base/num/bits.js";
import type { Guard } from "../../isa/instruction.js";
import type { Program } from "../state/frame.js";
import { CONTEXT } from "./context.table.js";
import { CARRY, type LaneLocals } from "./lanes.js";
import type { Pool } from "./pool.js";

/** A register's locals. */
export interface Home {
  readonly locals: readonly Local[];
  /** Whether the locals hold the value of the current four lanes. */
  isValid: boolean;
  isDirty: boolean;
  /** A NaN may have any bits. */
  isLoose: boolean;
  /** Counts values, to distinguish addresses computed from different values of a register. */
  version: number;
}

/** A predicate's locals. */
export interface Flag {
  readonly local: Local;
  /** Bits of the lanes processed so far. */
  readonly bits: Local;
  isValid: boolean;
  isDirty: boolean;
}

export interface LaneRegisters {
  readonly program: Program;
  /** Writer of the function, which declares the locals; `code` may write a part of it. */
  readonly main: CodeWriter;
  readonly locals: LaneLocals;
  /** Locals that are free again at the end of the instruction. */
  readonly temporaries: Pool;
  readonly homes: Map<number, Home>;
  readonly flags: Map<number, Flag>;
  code: CodeWriter;
  /** Lanes whose guard holds, as words of ones; undefined without a guard. */
  guard: Local | undefined;
}

export function home({ homes, main, program }: LaneRegisters, register: number): Home {
  const known = homes.get(register);
  if (known !== undefined) return known;
  const count = program.registerPlace(register).stride === 2 ? 2 : 1;
  const locals = Array.from({ length: count }, () => main.local("v128"));
  const made: Home = { locals, isValid: false, isDirty: false, isLoose: false, version: 0 };
  homes.set(register, made);
  return made;
}

/** The register's locals, holding its value. */
export function loaded(registers: LaneRegisters, register: number): Home {
  const { code, locals, program } = registers;
  const it = home(registers, register);
  if (it.isValid) return it;
  const { word } = program.registerPlace(register);
  const base = it.locals.length === 2 ? locals.at64 : locals.at32;
  it.locals.forEach((local, half) => {
    code
      .get(base)
      .memory("v128.load", 4 * word + 16 * half)
      .set(local);
  });
  it.isValid = true;
  return it;
}

/** Replaces NaN in the f32 on the stack by PTX's NaN. */
export function settleNaN({ code, temporaries }: LaneRegisters): void {
  const value = temporaries.take("v128");
  code.tee(value).words(F32_NAN_BITS).get(value).get(value).op("f32x4.eq", "v128.bitselect");
}

/** Replaces NaN in the local of a loose value by PTX's NaN. */
export function settle(registers: LaneRegisters, it: Home): void {
  if (!it.isLoose) return;
  const [local] = it.locals;
  registers.code.get(local!);
  settleNaN(registers);
  registers.code.set(local!);
  it.isLoose = false;
}

export function pushLow({ code }: LaneRegisters, { locals }: Home): void {
  if (locals.length === 1) code.get(locals[0]!);
  else code.get(locals[0]!).get(locals[1]!).shuffleWords([0, 2, 4, 6]);
}

/** Words of a per-lane mask that cover two lanes of 64 bits. */
const halfOfMask = (half: number): readonly [number, number, number, number] =>
  half === 0 ? [0, 0, 1, 1] : [2, 2, 3, 3];

/** The register as a destination: lanes whose guard does not hold keep the old value. */
export function target(registers: LaneRegisters, register: number): Home {
  const it = registers.guard === undefined ? home(registers, register) : loaded(registers, register);
  it.isDirty = true;
  it.version++;
  return it;
}

/** Stores the value on the stack into the local of a half, where the guard holds. */
export function assign({ code, guard }: LaneRegisters, it: Home, half: number, isWide: boolean): void {
  const local = it.locals[half]!;
  if (guard !== undefined) {
    code.get(local).get(guard);
    if (isWide) code.get(guard).shuffleWords(halfOfMask(half));
    code.op("v128.bitselect");
  }
  code.set(local);
}

/** Marks the register as holding its new value. */
export function written({ guard }: LaneRegisters, it: Home, isLoose: boolean): void {
  if (guard === undefined) it.isLoose = isLoose;
  it.isValid = true;
}

const flagWord = (program: Program, register: number): number =>
  register === CARRY ? program.carry!.word : program.registerPlace(register).word;

export function flag({ flags, main }: LaneRegisters, register: number): Flag {
  const known = flags.get(register);
  if (known !== undefined) return known;
  const made: Flag = { local: main.local("v128"), bits: main.local("i32"), isValid: false, isDirty: false };
  flags.set(register, made);
  return made;
}

/** Expands four bits on the stack to four words of ones and zeros. */
const pushMask = ({ code, locals }: LaneRegisters): void =>
  void code.i32(4).op("i32.shl").get(locals.context).op("i32.add").memory("v128.load", CONTEXT.masks);

/** The predicate's locals, holding its value. */
export function loadedFlag(registers: LaneRegisters, register: number): Flag {
  const { code, locals, program } = registers;
  const it = flag(registers, register);
  if (it.isValid) return it;
  code
    .get(locals.words)
    .memory("i32.load", 4 * flagWord(program, register))
    .get(locals.first)
    .op("i32.shr_u");
  code.i32(15).op("i32.and");
  pushMask(registers);
  code.set(it.local);
  it.isValid = true;
  return it;
}

/** A local with ones for the lanes whose guard holds. */
export function guardLocal(registers: LaneRegisters, guard: Guard | undefined): Local | undefined {
  if (guard === undefined) return undefined;
  const it = loadedFlag(registers, guard.register);
  const local = registers.temporaries.take("v128");
  registers.code.get(it.local);
  if (guard.negated) registers.code.op("v128.not");
  registers.code.set(local);
  return local;
}

/** Stores the registers that the segment wrote into the frame: whole vectors where all four lanes take part, else merged ones. */
export function storeRegisters(registers: LaneRegisters, isWanted: (register: number) => boolean): void {
  const { code, homes, locals, program, temporaries } = registers;
  const dirty = [...homes].filter(([register, it]) => it.isDirty && isWanted(register));
  if (dirty.length === 0) return;
  for (const [, it] of dirty) settle(registers, it);
  const each = (put: (local: Local, at: Local, offset: number, half: 0 | 1 | undefined) => void): void => {
    for (const [register, it] of dirty) {
      const offset = 4 * program.registerPlace(register).word;
      if (it.locals.length === 1) put(it.locals[0]!, locals.at32, offset, undefined);
      else for (const half of [0, 1] as const) put(it.locals[half]!, locals.at64, offset + 16 * half, half);
    }
  };
  code.get(locals.four).i32(15).op("i32.eq").if();
  each((local, at, offset) => code.get(at).get(local).memory("v128.store", offset));
  code.op("else");
  const some = temporaries.take("v128");
  code.get(locals.four);
  pushMask(registers);
  code.set(some);
  each((local, at, offset, half) => {
    code.get(at).get(local).get(at).memory("v128.load", offset).get(some);
    if (half !== undefined) code.get(some).shuffleWords(halfOfMask(half));
    code.op("v128.bitselect").memory("v128.store", offset);
  });
  code.op("end");
  temporaries.release();
}

/** Adds the predicates that the current four lanes wrote to the words of bits. */
export function storeFlags({ code, flags, locals }: LaneRegisters): void {
  for (const it of flags.values()) {
    if (!it.isDirty) continue;
    code.get(it.local).op("i32x4.bitmask").get(locals.first).op("i32.shl");
    code.get(it.bits).op("i32.or").set(it.bits);
  }
}

/** Predicates that the segment wrote: the word in the frame, and the local with the bits. */
export const writtenFlags = ({
  flags,
  program,
}: LaneRegisters): readonly { readonly word: number; readonly bits: Local }[] =>
  [...flags]
    .filter(([, it]) => it.isDirty)
    .map(([register, { bits }]) => ({ word: flagWord(program, register), bits }));

/** Begins a segment: the locals hold no values. */
export function forgetAll({ homes, flags }: LaneRegisters): void {
  for (const it of homes.values()) {
    it.isValid = it.isDirty = false;
    it.isLoose = false;
    it.version++;
  }
  for (const it of flags.values()) it.isValid = it.isDirty = false;
}
