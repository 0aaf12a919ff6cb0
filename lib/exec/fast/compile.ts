// Compiles basic blocks to WebAssembly functions. fn(context, mask) returns the lanes that branch, call, return or exit at the
// block's end, or the mask if the block ends otherwise.

import { CodeWriter, encodeModule, type Local } from "../../../formats/wasm/index.js";
import { createAccesses } from "./access.js";
import { type CheckAt, laneChecks } from "./access-checks.js";
import { emitAtomic } from "./atomic.js";
import { CONTEXT } from "./context.table.js";
import { MEMORY_IMPORT, tableImport } from "./driver.js";
import { exchangeOf, pushIsReady } from "./exchange.js";
import { createHelpers, FIRST_BLOCK_FUNCTION, HOST_IMPORTS, IMPORTED } from "./helpers.js";
import { createLanes } from "./create-lanes.js";
import { beginRecord, endRecord, logAddresses, logGuard, type LoggedBlock } from "./issue-log.js";
import type { LaneLocals, Lanes, NumberOf } from "./lanes.js";
import { applyBackward, has, type RegisterSet } from "./liveness.js";
import { type Piece, piecesOf } from "./segment.js";
import type { Unit } from "./unit.js";

/** The instructions of a segment, which the interpreter executes again for the lanes that miss. */
export interface SegmentRange {
  readonly unit: Unit;
  readonly block: number;
  readonly from: number;
  readonly to: number;
}

/** Numbers and addresses that all generated code of a process uses. */
export interface Numbering {
  readonly newSite: () => number;
  readonly newSegment: (range: SegmentRange) => number;
  /** Address of the special function unit's tables (mufu/memory.ts). */
  readonly mufu: number;
  /** The checks of the sanitizer's screening pass; undefined outside such a pass. */
  readonly checkAt: CheckAt | undefined;
}

/** Compiles these blocks to a module, whose functions go into the table from `at` on. */
export function compileBlocks(
  unit: Unit,
  blocks: readonly number[],
  at: number,
  isFused: () => boolean,
  numbering: Numbering,
): Uint8Array {
  // Functions that the blocks call follow the blocks' functions, each once.
  const called = new Map<string, number>();
  const others: CodeWriter[] = [];
  const numberOf = (name: string, make: () => CodeWriter): number => {
    let number = called.get(name);
    if (number === undefined) {
      number = FIRST_BLOCK_FUNCTION + blocks.length + others.push(make()) - 1;
      called.set(name, number);
    }
    return number;
  };
  const functions = blocks.map((block) => blockFunction(unit, block, isFused, numbering, numberOf));
  return encodeModule({
    imports: [...HOST_IMPORTS, MEMORY_IMPORT, tableImport(at + blocks.length)],
    functions: [...createHelpers(), ...functions, ...others],
    elements: { at, functions: blocks.map((_, i) => FIRST_BLOCK_FUNCTION + i) },
  });
}

function blockFunction(
  unit: Unit,
  block: number,
  isFused: () => boolean,
  numbering: Numbering,
  numberOf: NumberOf,
): CodeWriter {
  const { program, graph } = unit;
  const { instructions } = program.fn.code;
  const { start, end, isTerminated, isExchange } = graph.blocks[block]!;
  const code = new CodeWriter(["i32", "i32"], ["i32"]);
  const locals: LaneLocals = {
    context: 0,
    mask: 1,
    words: code.local("i32"),
    first: code.local("i32"),
    four: code.local("i32"),
    at32: code.local("i32"),
    at64: code.local("i32"),
  };
  code.get(locals.context).memory("i32.load", CONTEXT.words).set(locals.words);
  const bodyEnd = isTerminated ? end - 1 : end;
  const pieces = piecesOf(instructions, start, bodyEnd, unit.loweredOf, (pc) => unit.registersAt(pc).writes);
  const wanted = liveAfterPieces(unit, block, pieces, bodyEnd);
  const lanes = createLanes({
    ...{ program, process: unit.process, isFused, mufu: numbering.mufu, main: code, locals, numberOf },
  });
  const logged = unit.isLogged ? { log: code.local("i32"), ...unit.loggedOf(block) } : undefined;
  if (isExchange) {
    pushIsReady(program, instructions[start]!, program.steps[start]!, code, locals);
    code.op("i32.eqz").if().i32(0).op("return", "end");
  }
  if (logged !== undefined) beginRecord(code, locals.context, locals.mask, logged.log, block);
  pieces.forEach((piece, i) => {
    const exchange = piece.kind === "step" ? exchangeOf(program, instructions[piece.pc]!) : undefined;
    if (exchange !== undefined) exchange(code, locals);
    else if (piece.kind === "step") code.i32(piece.pc).get(locals.mask).call(IMPORTED.step);
    else emitSegment(unit, block, piece, lanes, code, locals, wanted[i]!, numbering, logged);
  });
  code.get(locals.mask);
  const guard = isTerminated ? instructions[end - 1]!.guard : undefined;
  if (guard !== undefined) {
    code.get(locals.words).memory("i32.load", 4 * program.registerPlace(guard.register).word);
    if (guard.negated) code.i32(-1).op("i32.xor");
    code.op("i32.and");
  }
  if (logged !== undefined) {
    if (guard !== undefined) {
      const lanesThatGo = code.local("i32");
      code.set(lanesThatGo);
      logGuard(code, logged.log, logged.instructions.at(-1)!, () => void code.get(lanesThatGo));
      code.get(lanesThatGo);
    }
    endRecord(code, locals.context, logged.log, logged);
  }
  return code;
}

/** For each piece, the registers that are live after it. */
function liveAfterPieces(unit: Unit, block: number, pieces: readonly Piece[], bodyEnd: number): readonly RegisterSet[] {
  const set = unit.liveness().out(block);
  const { end } = unit.graph.blocks[block]!;
  const wanted: RegisterSet[] = [];
  let pc = end;
  const backTo = (first: number): void => {
    while (pc > first) applyBackward(set, unit.effectOf(--pc));
  };
  backTo(bodyEnd);
  for (let i = pieces.length - 1; i >= 0; i--) {
    const piece = pieces[i]!;
    wanted[i] = set.slice();
    backTo(piece.kind === "step" ? piece.pc : piece.from);
  }
  return wanted;
}

function emitSegment(
  unit: Unit,
  block: number,
  { from, to }: { readonly from: number; readonly to: number },
  lanes: Lanes,
  code: CodeWriter,
  { context, mask, words, first, four, at32, at64 }: LaneLocals,
  wanted: RegisterSet,
  { newSite, newSegment, checkAt }: Numbering,
  logged: BlockLog | undefined,
): void {
  const { instructions } = unit.program.fn.code;
  const [before, body] = [new CodeWriter(), new CodeWriter()];
  lanes.reset(before, body);
  let mayMiss = false;
  // Nesting around the body: the block of four lanes, the loop, and the block to whose end a miss branches.
  const accesses = createAccesses(
    lanes,
    () => {
      mayMiss = true;
      return lanes.depth + 2;
    },
    newSite,
  );
  for (let pc = from; pc < to; pc++) {
    const lowered = unit.loweredOf(pc)!;
    lanes.begin(instructions[pc]!);
    const check = checkAt?.(unit.program.fn, pc);
    const checks = check && laneChecks(lanes, check);
    if (logged !== undefined) logAddresses(lanes, logged.log, instructionOf(logged, pc).access);
    if (lowered.kind === "emit") lowered.emit(lanes);
    else if (lowered.kind === "access") accesses.emit(lowered.plan, checks);
    else emitAtomic(lanes, accesses, lowered.plan, checks);
    lanes.finish();
  }
  lanes.store((register) => has(wanted, register));

  const flags = lanes.written();
  for (const { bits } of flags) before.i32(0).set(bits);
  code.append(before);
  if (mayMiss) code.block().block();
  code.i32(0).set(first).loop().block();
  code.get(mask).get(first).op("i32.shr_u").i32(15).op("i32.and").tee(four).op("i32.eqz").brIf(0);
  code.get(words).get(first).i32(2).op("i32.shl", "i32.add").set(at32);
  code.get(words).get(first).i32(3).op("i32.shl", "i32.add").set(at64);
  code.append(body).op("end");
  code.get(first).i32(4).op("i32.add").tee(first).i32(32).op("i32.lt_u").brIf(0).op("end");
  storeFlags(code, words, flags, () => code.get(mask));
  if (mayMiss) {
    code.br(1).op("end");
    // Lanes before the four that missed have executed the segment.
    storeFlags(code, words, flags, () =>
      code.get(mask).i32(1).get(first).op("i32.shl").i32(1).op("i32.sub", "i32.and"),
    );
    code.i32(newSegment({ unit, block, from, to })).get(first).call(IMPORTED.finish).op("end");
  }
  countGuarded(unit, from, to, code, context, mask, words);
  if (logged !== undefined) logGuards(unit, from, to, code, mask, words, logged);
}

/** Where a block's record is, and what is in it. */
interface BlockLog extends LoggedBlock {
  readonly log: Local;
}

const instructionOf = ({ instructions }: LoggedBlock, pc: number): LoggedBlock["instructions"][number] =>
  instructions[pc - instructions[0]!.pc]!;

/** Logs the lanes of guarded instructions. */
function logGuards(
  { program }: Unit,
  from: number,
  to: number,
  code: CodeWriter,
  mask: Local,
  words: Local,
  logged: BlockLog,
): void {
  for (let pc = from; pc < to; pc++) {
    const { guard, flip } = program.steps[pc]!;
    if (guard < 0) continue;
    logGuard(code, logged.log, instructionOf(logged, pc), () => {
      code.get(words).memory("i32.load", 4 * guard);
      if (flip !== 0) code.i32(-1).op("i32.xor");
      code.get(mask).op("i32.and");
    });
  }
}

/** Puts the bits of predicates into the frame for the lanes that `pushLanes` pushes. */
function storeFlags(
  code: CodeWriter,
  words: Local,
  flags: readonly { readonly word: number; readonly bits: Local }[],
  pushLanes: () => void,
): void {
  for (const { word, bits } of flags) {
    // old ^ ((old ^ new) & lanes)
    code
      .get(words)
      .get(words)
      .memory("i32.load", 4 * word);
    code
      .get(bits)
      .get(words)
      .memory("i32.load", 4 * word)
      .op("i32.xor");
    pushLanes();
    code.op("i32.and", "i32.xor").memory("i32.store", 4 * word);
  }
}

/** Adds the lanes of guarded instructions to the count. */
function countGuarded(
  { program }: Unit,
  from: number,
  to: number,
  code: CodeWriter,
  context: Local,
  mask: Local,
  words: Local,
): void {
  const guarded = new Map<string, { readonly word: number; readonly negated: boolean; times: number }>();
  for (let pc = from; pc < to; pc++) {
    const { guard } = program.fn.code.instructions[pc]!;
    if (guard === undefined) continue;
    const key = `${guard.register}:${guard.negated}`;
    const known = guarded.get(key);
    if (known !== undefined) known.times++;
    else guarded.set(key, { word: program.registerPlace(guard.register).word, negated: guard.negated, times: 1 });
  }
  for (const { word, negated, times } of guarded.values()) {
    code.get(context).get(context).memory("i32.load", CONTEXT.guarded);
    code.get(words).memory("i32.load", 4 * word);
    if (negated) code.i32(-1).op("i32.xor");
    code.get(mask).op("i32.and", "i32.popcnt").i32(times).op("i32.mul", "i32.add").memory("i32.store", CONTEXT.guarded);
  }
}
