// Exchanges among the lanes of a warp: PTX ISA 9.0 sections 9.7.9.6 (shfl.sync), 9.7.13.2 (bar.warp.sync) and 9.7.13.11 to
// 9.7.13.15 (vote.sync, match.sync, activemask, redux.sync, elect.sync). A register's 32 words are adjacent in the frame, and
// every exchange is a block of its own. Its code runs if each lane's mask names only lanes that are converged with the same mask.
// Otherwise the interpreter splits and merges the groups of lanes.

import type { CodeWriter, Local } from "../../../formats/wasm/index.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { hasModifier, modifier, typeOf } from "../../isa/opcode.js";

import type { Program } from "../state/frame.js";
import type { Step } from "../state/step.js";
import {
  type EmitExchange,
  type ExchangeLocals,
  pushFour,
  QUADS,
  storeFlag,
  storeLanes,
  wordOf,
} from "./exchange-lanes.js";
import { HELPER } from "./helpers.js";
import { immediateOf } from "./lower/lowering.js";
import { everyLane } from "../machine/step.js";
import { shuffle } from "./shuffle.js";

/** Lanes with the same mask, and those of them that the mask names. */
interface Party {
  readonly lanes: Local;
  readonly voters: Local;
}

type EmitParty = (code: CodeWriter, locals: ExchangeLocals, party: Party) => void;

/** The exchange's code; undefined where only the meaning executes it. */
export function exchangeOf(program: Program, instruction: Instruction): EmitExchange | undefined {
  const { opcode, guard } = instruction;
  const { form } = opcode;
  if (guard !== undefined) return undefined;
  if (form.id === "shfl.sync") return shuffle(program, instruction);
  // Loads and stores around it are in other blocks.
  if (form.id === "bar.warp.sync") return () => undefined;
  if (form.id === "activemask") return activemask(program, instruction);
  const emit = byOpcode[form.opcode]?.(program, instruction);
  return emit && ofParties(program, instruction, emit);
}

// ------------------------------------------------------------------------------------------------------------- the parties

/** The operand that names lanes: a constant, or the word of a register. */
function maskOf(program: Program, { opcode, operands }: Instruction): { constant?: number; word?: number } | undefined {
  const operand =
    opcode.form.id === "bar.warp.sync"
      ? operands[0]
      : operands[opcode.form.operands.findIndex(({ name }) => name === "mask")];
  const constant = immediateOf(operand);
  if (constant !== undefined) return constant === 0 ? undefined : { constant };
  const word = wordOf(program, operand, 1);
  return word === undefined ? undefined : { word };
}

/**
 * Pushes whether each mask names exactly the present lanes that have this mask. A lane outside its own mask goes to the
 * interpreter.
 */
export function pushIsReady(
  program: Program,
  instruction: Instruction,
  { members }: Step,
  code: CodeWriter,
  { words, mask }: ExchangeLocals,
): void {
  // An instruction of the whole warp, without a mask: all 32 lanes are needed, and its meaning is called.
  if (members === everyLane) {
    code.get(mask).i32(-1).op("i32.eq");
    return;
  }
  const named = maskOf(program, instruction);
  if (named?.constant !== undefined) code.i32(named.constant).get(mask).op("i32.eq");
  else if (named?.word !== undefined)
    code
      .get(words)
      .i32(4 * named.word)
      .op("i32.add")
      .get(mask)
      .call(HELPER.allReady);
  else code.i32(0);
}

/** Executes one party after the other, that of the lowest lane first. */
function ofParties(program: Program, instruction: Instruction, emit: EmitParty): EmitExchange | undefined {
  if (!instruction.opcode.form.operands.some(({ name }) => name === "mask")) return undefined;
  const named = maskOf(program, instruction);
  if (named === undefined) return undefined;
  return (code, locals) => {
    const [lanes, voters] = [code.local("i32"), code.local("i32")];
    if (named.constant !== undefined) {
      code.get(locals.mask).i32(named.constant).op("i32.and").set(voters);
      emit(code, locals, { lanes: locals.mask, voters });
      return;
    }
    const [rest, at] = [code.local("i32"), code.local("i32")];
    code
      .get(locals.words)
      .i32(4 * named.word!)
      .op("i32.add")
      .set(at);
    code.get(locals.mask).set(rest).loop();
    pushFirst(code, at, rest);
    code.set(voters).get(at).get(voters).call(HELPER.equalLanes).get(rest).op("i32.and").tee(lanes);
    code.get(voters).op("i32.and").set(voters);
    emit(code, locals, { lanes, voters });
    code.get(rest).get(lanes).i32(-1).op("i32.xor", "i32.and").tee(rest).brIf(0).op("end");
  };
}

/** Pushes the word of the lowest of some lanes. */
function pushFirst(code: CodeWriter, at: Local, lanes: Local): void {
  code.get(at).get(lanes).op("i32.ctz").i32(2).op("i32.shl", "i32.add").memory("i32.load");
}

// --------------------------------------------------------------------------------------------------------------- the rows

type Row = (program: Program, instruction: Instruction) => EmitParty | undefined;

/** Stores the word on the stack for all of `lanes`. */
function spread(code: CodeWriter, locals: ExchangeLocals, word: number, lanes: Local): void {
  const value = code.local("v128");
  code.op("i32x4.splat").set(value);
  storeLanes(code, locals, word, lanes, [value]);
}

function activemask(program: Program, { operands }: Instruction): EmitExchange | undefined {
  const d = wordOf(program, operands[0], 1);
  if (d === undefined) return undefined;
  return (code, locals) => {
    code.get(locals.mask);
    spread(code, locals, d, locals.mask);
  };
}

const vote: Row = (program, { opcode, operands }) => {
  const [target, source] = operands;
  const isBallot = hasModifier(opcode, "ballot");
  const [d, a] = [wordOf(program, target, isBallot ? 1 : 0), wordOf(program, source, 0)];
  if (d === undefined || a === undefined || source?.kind !== "register") return undefined;
  const mode = modifier(opcode, "mode");
  return (code, locals, { lanes, voters }) => {
    const { words } = locals;
    const yes = code.local("i32");
    code.get(words).memory("i32.load", 4 * a);
    if (source.negated === true) code.i32(-1).op("i32.xor");
    code.get(voters).op("i32.and").set(yes);
    if (isBallot) {
      code.get(yes);
      spread(code, locals, d, lanes);
      return;
    }
    // Pushes all ones if the vote holds.
    code.i32(0).get(yes);
    if (mode === "any") code.i32(0).op("i32.ne");
    else code.get(voters).op("i32.eq");
    if (mode === "uni") code.get(yes).op("i32.eqz", "i32.or");
    code.op("i32.sub");
    storeFlag(code, words, d, lanes);
  };
};

/** Words of d and of the predicate after it: null for an absent or discarded one, undefined for an unsupported operand. */
function pairOf(program: Program, target: Operand | undefined): readonly [number | null, number | null] | undefined {
  const [first, second] = target?.kind === "pair" ? [target.first, target.second] : [target, undefined];
  const d = first?.kind === "sink" ? null : wordOf(program, first, 1);
  const p = second === undefined || second.kind === "sink" ? null : wordOf(program, second, 0);
  return d === undefined || p === undefined ? undefined : [d, p];
}

const match: Row = (program, { opcode, operands }) => {
  const pair = pairOf(program, operands[0]);
  const a = wordOf(program, operands[1], 1);
  if (pair === undefined || a === undefined || typeOf(opcode)!.bits !== 32) return undefined;
  const [d, p] = pair;
  const isAll = hasModifier(opcode, "all");
  return (code, locals, { lanes, voters }) => {
    const { words, context } = locals;
    const [at, equal, rest] = [code.local("i32"), code.local("i32"), code.local("i32")];
    const results = QUADS.map(() => code.local("v128"));
    code
      .get(words)
      .i32(4 * a)
      .op("i32.add")
      .set(at);
    const pushEqual = (to: Local): void => {
      code.get(at);
      pushFirst(code, at, to);
      code.call(HELPER.equalLanes);
    };
    /** Sets the results of the lanes in `equal` to the voters among them. */
    const give = (): void =>
      QUADS.forEach((quad) => {
        code.get(equal).get(voters).op("i32.and", "i32x4.splat").get(results[quad]!);
        pushFour(code, context, equal, quad);
        code.op("v128.bitselect").set(results[quad]!);
      });
    for (const result of results) code.words(0).set(result);
    if (isAll) {
      pushEqual(voters);
      code.set(equal);
      // The remaining voters have other values.
      code.get(voters).get(equal).i32(-1).op("i32.xor", "i32.and").tee(rest).op("i32.eqz").if();
      give();
      code.op("end");
      if (p !== null) {
        code.i32(0).get(rest).op("i32.eqz", "i32.sub");
        storeFlag(code, words, p, lanes);
      }
    } else {
      code.get(lanes).set(rest).loop();
      pushEqual(rest);
      code.get(rest).op("i32.and").set(equal);
      give();
      code.get(rest).get(equal).op("i32.xor").tee(rest).brIf(0).op("end");
    }
    if (d !== null) storeLanes(code, locals, d, lanes, results);
  };
};

/** The operation on vectors, and its identity element. */
const reductions = {
  add: ["i32x4.add", 0],
  and: ["v128.and", -1],
  or: ["v128.or", 0],
  xor: ["v128.xor", 0],
  "min.s32": ["i32x4.min_s", 0x7fffffff],
  "max.s32": ["i32x4.max_s", -0x80000000],
  "min.u32": ["i32x4.min_u", -1],
  "max.u32": ["i32x4.max_u", 0],
} as const;

const redux: Row = (program, { opcode, operands }) => {
  const type = typeOf(opcode)!.name;
  const operation = modifier(opcode, "op")!;
  const [d, a] = [wordOf(program, operands[0], 1), wordOf(program, operands[1], 1)];
  const key = [`${operation}.${type}`, operation].find((each) => Object.hasOwn(reductions, each));
  if (d === undefined || a === undefined || key === undefined || type === "f32") return undefined;
  const [name, nothing] = reductions[key as keyof typeof reductions];
  return (code, locals, { lanes, voters }) => {
    const total = code.local("v128");
    for (const quad of QUADS) {
      code.get(locals.words).memory("v128.load", 4 * a + 16 * quad);
      code.words(nothing);
      pushFour(code, locals.context, voters, quad);
      code.op("v128.bitselect");
      if (quad > 0) code.op(name);
    }
    code.tee(total).get(total).get(total).shuffleWords([2, 3, 0, 1]).op(name);
    code.tee(total).get(total).get(total).shuffleWords([1, 0, 3, 2]).op(name).set(total);
    storeLanes(code, locals, d, lanes, [total]);
  };
};

/** The lowest lane of those that the mask names is elected. */
const elect: Row = (program, { operands }) => {
  const pair = pairOf(program, operands[0]);
  if (pair === undefined) return undefined;
  const [d, p] = pair;
  return (code, locals, { lanes, voters }) => {
    if (d !== null) {
      code.get(voters).op("i32.ctz");
      spread(code, locals, d, lanes);
    }
    if (p === null) return;
    code.get(voters).i32(0).get(voters).op("i32.sub", "i32.and");
    storeFlag(code, locals.words, p, lanes);
  };
};

const byOpcode: Readonly<Record<string, Row>> = { vote, match, redux, elect };
