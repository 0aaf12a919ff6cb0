// Constants: types, and globals in them (NVVM IR 1.0 chapter 5). Further limits of initial values are checked where their bytes
// are made (globals/initial.ts).

import { append } from "../../base/lists.js";
import type { Ranged } from "../../ptx/source-text.js";
import type { Instruction } from "../ir/instruction.js";
import type { Constant, ConstantExpression, Value } from "../ir/value.js";
import type { Reporter } from "./facts.js";
import { checkHandleUse } from "./handle-use.js";
import { memoryCheck } from "./memory.js";
import { operandCheck } from "./operands.js";
import { checkType } from "./types.js";

/** Reports invalid parts of constants; walks each constant once, even if it is shared. */
export function checkConstant(constant: Constant, at: Ranged, reporter: Reporter): void {
  if (!isDeep(constant)) return checkLeaf(constant, at, reporter);
  const stack: Constant[] = [constant];
  const seen = new Set<Constant>();
  while (stack.length > 0) {
    const value = stack.pop()!;
    if (!isDeep(value)) {
      checkLeaf(value, at, reporter);
      continue;
    }
    if (seen.has(value)) continue;
    seen.add(value);
    const isWrong = checkType(value.type, "start" in value ? value : at, reporter);
    if (value.kind === "expression" && !isWrong) checkExpression(value, reporter);
    append(stack, value.kind === "aggregate" ? value.elements : value.operands);
  }
}

/** Checked by the rules of the instruction with that opcode. */
function checkExpression(value: ConstantExpression, reporter: Reporter): void {
  const check =
    operandCheck(value.opcode) ?? (value.opcode === "getelementptr" ? memoryCheck(value.opcode) : undefined);
  if (check === undefined) return;
  check(instructionOf(value, reporter), reporter);
}

/** With fields written one by one: there are many, and copies by name are slow. */
function instructionOf(value: ConstantExpression, { module }: Reporter): Instruction {
  const { opcode, type, operands, predicate, sourceType, indices, start, end } = value;
  const made = {
    kind: "instruction",
    opcode,
    type,
    name: undefined,
    index: 0,
    operands,
    operandStarts: noStarts,
    flags: 0,
    attachments: noStarts,
    predicate,
    sourceType,
    indices,
    start: module.form === "text" ? start : 0,
    end: module.form === "text" ? end : 0,
  };
  return made as unknown as Instruction;
}

const noStarts: readonly never[] = [];

const isDeep = (value: Value): value is Extract<Constant, { kind: "aggregate" | "expression" }> =>
  value.kind === "aggregate" || value.kind === "expression";

function checkLeaf(value: Constant, at: Ranged, reporter: Reporter): void {
  switch (value.kind) {
    case "function":
      if (value.name.startsWith("llvm.")) reporter.report("intrinsic-address", at);
      return;
    case "variable":
      return checkHandleUse(value, at, reporter);
    case "blockaddress":
      return void reporter.report("blockaddress", value);
    case "alias":
    case "ifunc":
    case "bytes":
      return;
    default:
      checkType(value.type, at, reporter);
  }
}
