// Terminators, and instructions of exceptions, which NVVM IR does not have (NVVM IR 1.0 sections 8.1 and 8.8).

import type { BasicBlock, BranchInstruction, ForeignInstruction, SwitchInstruction } from "../ir/instruction.js";
import type { IntegerConstant } from "../ir/value.js";
import { typeText } from "../ir/type.js";
import { readConstant, readTypedConstant } from "./constants.js";
import { failWith } from "./fault.js";
import { partial, plain, type Reader } from "./instruction.js";
import { addOperand, addTypedOperand, operandList, type Head, type OpenOperands, type Operands } from "./operands.js";
import { accept, acceptWord, expect, expectWord, isWord, since } from "./read.js";
import { advance } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readAnyType, readType } from "./types.js";
import { readTarget } from "./values.js";

const readReturn: Reader = (p, head) => {
  const type = head.opcode === "ret" ? readAnyType(p) : p.types.void;
  const list = operandList(type.kind === "void" ? 0 : 1);
  if (type.kind !== "void") addOperand(p, list, type);
  return plain(p, head, p.types.void, list, head.opcode as "ret" | "unreachable");
};

const readBranch: Reader = (p, head) => {
  if (isWord(p, "label")) {
    const target = readTarget(p);
    return branch(p, head, operandList(0), [target]);
  }
  const list = operandList(1);
  addTypedOperand(p, list);
  expect(p, kind.COMMA, "the block where the condition is true");
  const yes = readTarget(p);
  expect(p, kind.COMMA, "the block where the condition is false");
  const no = readTarget(p);
  return branch(p, head, list, [yes, no]);
};

function branch(p: Parser, head: Head, list: Operands, targets: readonly BasicBlock[]): BranchInstruction {
  const made = partial<BranchInstruction>(p, head, p.types.void, list, "br");
  made.targets = targets;
  return made;
}

const readSwitch: Reader = (p, head) => {
  const s = p.scanner;
  const list = operandList(1);
  const { type } = addTypedOperand(p, list);
  expect(p, kind.COMMA, "the block of all other values");
  const defaultTarget = readTarget(p);
  expect(p, kind.LEFT_BRACKET, "the cases");
  const cases: SwitchInstruction["cases"][number][] = [];
  const seen = new Set<bigint>();
  while (s.kind !== kind.RIGHT_BRACKET) {
    const { start } = s;
    const own = readType(p);
    if (own !== type)
      failWith(p, "nvvm-mismatch", `the cases are of type ${typeText(type)}, not ${typeText(own)}`, since(p, start));
    const at = s.start;
    const value = readConstant(p, own);
    if (value.kind !== "integer") failWith(p, "nvvm-mismatch", "a case is an integer", since(p, at));
    if (seen.has(value.value)) failWith(p, "nvvm-redefined", "two cases are of one value", since(p, at));
    seen.add(value.value);
    expect(p, kind.COMMA, "the block of the case");
    cases.push({ value: value satisfies IntegerConstant, target: readTarget(p) });
  }
  advance(s);
  return { ...plain(p, head, p.types.void, list, "switch"), cases, defaultTarget };
};

const foreign = (
  p: Parser,
  head: Head,
  list: Operands,
  targets: readonly BasicBlock[],
  type: ForeignInstruction["type"] = p.types.void,
): ForeignInstruction => ({
  ...plain(p, head, type, list, head.opcode as ForeignInstruction["opcode"]),
  targets,
});

/** `indirectbr ptr %p, [label %a, label %b]`. */
const readIndirect: Reader = (p, head) => {
  const list = operandList(1);
  addTypedOperand(p, list);
  expect(p, kind.COMMA, "the blocks that it may go to");
  return foreign(p, head, list, readTargets(p));
};

/** `[label %a, label %b]`. */
export function readTargets(p: Parser): BasicBlock[] {
  expect(p, kind.LEFT_BRACKET);
  const targets: BasicBlock[] = [];
  if (accept(p, kind.RIGHT_BRACKET)) return targets;
  do targets.push(readTarget(p));
  while (accept(p, kind.COMMA));
  expect(p, kind.RIGHT_BRACKET);
  return targets;
}

/** `resume T v`, `unwind`. */
const readResume: Reader = (p, head) => {
  const list = operandList(0);
  if (head.opcode === "resume") addTypedOperand(p, list);
  return foreign(p, head, list, []);
};

/** `landingpad T personality … cleanup catch T v filter T v`. */
const readLandingPad: Reader = (p, head) => {
  const list = operandList(0);
  const type = readType(p);
  if (acceptWord(p, "personality")) readTypedConstant(p);
  acceptWord(p, "cleanup");
  while (acceptWord(p, "catch") || acceptWord(p, "filter")) addTypedOperand(p, list);
  return foreign(p, head, list, [], type);
};

/** `cleanuppad within %x [args]`, `catchpad within %x [args]`. */
const readPad: Reader = (p, head) => {
  const list = operandList(0);
  addPad(p, list, "within");
  expect(p, kind.LEFT_BRACKET);
  if (!accept(p, kind.RIGHT_BRACKET)) {
    do addOperand(p, list, readAnyType(p));
    while (accept(p, kind.COMMA));
    expect(p, kind.RIGHT_BRACKET);
  }
  return foreign(p, head, list, [], p.types.token);
};

/** `within %x`, `from %x`: the pad of an instruction. */
function addPad(p: Parser, list: OpenOperands, word: "within" | "from"): void {
  expectWord(p, word, "a pad");
  addOperand(p, list, p.types.token);
}

/** `catchswitch within none [label %a] unwind to caller`. */
const readCatchSwitch: Reader = (p, head) => {
  const list = operandList(0);
  addPad(p, list, "within");
  const targets = readTargets(p);
  addUnwind(p, targets);
  return foreign(p, head, list, targets, p.types.token);
};

/** `unwind to caller`, `unwind label %x`. */
function addUnwind(p: Parser, targets: BasicBlock[]): void {
  expectWord(p, "unwind");
  if (!acceptWord(p, "to")) targets.push(readTarget(p));
  else expectWord(p, "caller");
}

/** `cleanupret from %x unwind …`, `catchret from %x to label %y`. */
const readPadReturn: Reader = (p, head) => {
  const list = operandList(0);
  addPad(p, list, "from");
  const targets: BasicBlock[] = [];
  if (head.opcode === "cleanupret") addUnwind(p, targets);
  else {
    expectWord(p, "to");
    targets.push(readTarget(p));
  }
  return foreign(p, head, list, targets);
};

export const controlReaders: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["ret", readReturn],
  ["unreachable", readReturn],
  ["br", readBranch],
  ["switch", readSwitch],
  ["indirectbr", readIndirect],
  ["resume", readResume],
  ["unwind", readResume],
  ["landingpad", readLandingPad],
  ["cleanuppad", readPad],
  ["catchpad", readPad],
  ["catchswitch", readCatchSwitch],
  ["cleanupret", readPadReturn],
  ["catchret", readPadReturn],
]);

/** Opcodes that end a block. */
export const terminators: ReadonlySet<string> = new Set([
  ..."ret unreachable br switch indirectbr resume unwind catchswitch cleanupret catchret invoke callbr".split(" "),
]);
