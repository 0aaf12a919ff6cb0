// One instruction: its operands' names resolved, its spelling matched to a row of the isa table, and what the row cannot say
// checked behind that: requirements, state spaces, calls. PTX ISA 9.0 chapter 9.

import type { Guard, Instruction } from "../isa/instruction.js";
import { resolveOpcode, type Opcode } from "../isa/opcode.js";
import { explainSpelling } from "../isa/suggest.js";
import type { Instruction as InstructionNode } from "../ptx/tree.js";
import type { Builder, FunctionContext } from "./builder.js";
import { checkCall } from "./call.js";
import { isMisfit, type Misfit } from "./match-value.js";
import { matchOperands } from "./match.js";
import type { Reporter } from "./reporter.js";
import { requireAll, type Platform } from "./require.js";
import { reportUnknown, resolveAll, type NameContext, type Resolved } from "./resolve.js";
import { findBinding } from "./scope.js";
import { checkSpaces } from "./spaces.js";

/** The instruction, or undefined after a report. */
export function checkInstruction(
  node: InstructionNode,
  names: NameContext,
  builder: Builder,
  { header: platform, reporter }: FunctionContext,
): Instruction | undefined {
  const guard = node.guard === undefined ? undefined : checkGuard(node.guard, names);
  const operands = resolveAll(node.operands, names);
  const readings = resolveOpcode(node.opcode.text);
  if (readings.length === 0) {
    const why = explainSpelling(node.opcode.text);
    reporter.report(
      "unknown-instruction",
      node.opcode,
      why.message,
      why.remedy === undefined ? {} : { remedy: why.remedy },
    );
    return undefined;
  }
  if (operands === undefined || (node.guard !== undefined && guard === undefined)) return undefined;
  let best: Misfit | undefined;
  for (const opcode of readings) {
    const matched = matchOperands(opcode.operands, operands, node.opcode);
    if (isMisfit(matched)) {
      if (best === undefined || matched.fitted > best.fitted) best = matched;
      continue;
    }
    const instruction: Instruction = {
      opcode,
      guard,
      operands: matched,
      line: reporter.line(node),
      location: builder.location,
    };
    checkRequirement(opcode, operands, node, platform, reporter);
    checkSpaces(opcode, operands, names.registers.registers, reporter);
    if (opcode.form.operands.some((spec) => spec.kind === "callee")) {
      return checkCall(instruction, node, {
        code: builder,
        registers: names.registers.registers,
        symbols: names.module.symbols,
        reporter,
      });
    }
    return instruction;
  }
  if (best !== undefined) {
    reporter.report(best.code, best.at, `${node.opcode.text}: ${best.message}`, {
      notes: [{ message: `the form is: ${readings[0]!.form.syntax}` }],
    });
  }
  return undefined;
}

function checkGuard(node: NonNullable<InstructionNode["guard"]>, names: NameContext): Guard | undefined {
  const binding = findBinding(names.scope, node.name.text, names.registers);
  if (binding?.kind === "register" && binding.register.type.class === "predicate") {
    return { register: binding.index, negated: node.negated };
  }
  const remedy = `declare it: .reg .pred ${node.name.text};`;
  if (binding === undefined) reportUnknown(node.name, names, remedy);
  else if (binding.kind !== "faulty") {
    const message = `the guard '${node.name.text}' is not a predicate register`;
    names.reporter.report("operand-type", node.name, message, { remedy });
  }
  return undefined;
}

/** That the module's version and target have the instruction, and the special registers that it reads. */
function checkRequirement(
  { spelling, needs }: Opcode,
  operands: readonly Resolved[],
  node: InstructionNode,
  platform: Platform,
  reporter: Reporter,
): void {
  requireAll(spelling, needs, node.opcode, platform, reporter);
  for (const operand of operands) {
    if (operand.kind === "special") requireSpecial(operand, platform, reporter);
    else if (operand.kind === "vector") {
      for (const element of operand.elements) {
        if (element.kind === "special") requireSpecial(element, platform, reporter);
      }
    }
  }
}

function requireSpecial(
  { special, node }: Resolved & { kind: "special" },
  platform: Platform,
  reporter: Reporter,
): void {
  requireAll(special.name, special.needs, node, platform, reporter);
}
