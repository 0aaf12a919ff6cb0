// Checks one instruction of a body: its names, its row of the isa table (a spelling can be read as several), what its
// version and target ask for, and the state spaces of its addresses. PTX ISA 9.0 chapters 6 and 9.

import type { Guard, Instruction } from "../isa/instruction.js";
import { hasModifier, modifier, resolveOpcode, type Opcode } from "../isa/opcode.js";
import { clauseText, unmetClause, versionText, type Requirement } from "../isa/requirement.js";
import { explainSpelling } from "../isa/suggest.js";
import type { Instruction as InstructionNode, Ranged } from "../ptx/tree.js";
import type { Builder, FunctionContext } from "./builder.js";
import { checkCall } from "./call.js";
import { isMisfit, type Misfit } from "./match-value.js";
import { matchOperands } from "./match.js";
import type { Reporter } from "./reporter.js";
import { resolveAll, type NameContext, type Resolved } from "./resolve.js";
import { findBinding } from "./scope.js";

/** The instruction, matched to the row of the isa table that fits it best; undefined after a report. */
export function checkInstruction(
  node: InstructionNode,
  names: NameContext,
  builder: Builder,
  context: FunctionContext,
): Instruction | undefined {
  const guard = node.guard === undefined ? undefined : checkGuard(node.guard, names);
  const operands = resolveAll(node.operands, names);
  const readings = resolveOpcode(node.opcode.text);
  if (readings.length === 0) {
    const why = explainSpelling(node.opcode.text);
    context.reporter.report(
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
      line: context.reporter.line(node),
      location: builder.location,
    };
    checkRequirement(opcode, operands, node, context);
    checkSpaces(opcode, operands, builder, context);
    if (opcode.form.operands.some((spec) => spec.kind === "callee")) {
      checkCall(instruction, node, {
        code: {
          registers: builder.registers.registers,
          variables: builder.variables,
          prototypes: builder.prototypes,
          callTargets: builder.callTargets,
        },
        symbols: context.module.symbols,
        reporter: context.reporter,
      });
    }
    return instruction;
  }
  if (best !== undefined) {
    context.reporter.report(best.code, best.at, `${node.opcode.text}: ${best.message}`, {
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
  names.reporter.report(
    binding === undefined ? "unknown-name" : "operand-type",
    node.name,
    binding === undefined
      ? `'${node.name.text}' is not declared`
      : `the guard '${node.name.text}' is not a predicate register`,
    { remedy: `declare it: .reg .pred ${node.name.text};` },
  );
  return undefined;
}

/** That the module's version and target have the instruction, and the special registers that it reads. */
function checkRequirement(
  opcode: Opcode,
  operands: readonly Resolved[],
  node: InstructionNode,
  { header, reporter }: FunctionContext,
): void {
  const demand = (name: string, needs: Requirement, at: Ranged): void => {
    const unmet = unmetClause(header.version, header.target, needs);
    if (unmet === undefined) return;
    const module = `this module is PTX ${versionText(header.version)} for ${header.target.name}`;
    reporter.report("requires", at, `${name} needs ${clauseText(unmet)}; ${module}`);
  };
  demand(opcode.spelling, opcode.needs, node.opcode);
  for (const operand of operands.flatMap((o) => (o.kind === "vector" ? o.elements : o)))
    if (operand.kind === "special") demand(operand.special.name, operand.special.needs, operand.node);
}

/** Global and generic addresses have 64 bits; offsets in the windows of the other spaces fit 32. */
function checkWideAddress(operands: readonly Resolved[], builder: Builder, reporter: Reporter): void {
  for (const operand of operands) {
    if (operand.kind !== "address" || operand.base.kind !== "register") continue;
    const { name, type } = builder.registers.registers[operand.base.register]!;
    if (type.bits === 64) continue;
    reporter.report(
      "operand-type",
      operand.of.node,
      `${name} is .${type.name}; a global or generic address has 64 bits`,
      {
        remedy: "widen it with cvt.u64.u32, or compute it in a .b64 register",
      },
    );
  }
}

const windowOf: Readonly<Record<string, string>> = {
  "shared::cta": "shared",
  "shared::cluster": "shared",
  "param::entry": "param",
  "param::func": "param",
};

/** A named variable must be in the state space that the instruction names. */
function checkSpaces(
  opcode: Opcode,
  operands: readonly Resolved[],
  builder: Builder,
  { reporter }: FunctionContext,
): void {
  if (!opcode.form.slots.some((slot) => slot.name === "ss")) return;
  const written = modifier(opcode, "ss");
  if (written === undefined || written === "global") checkWideAddress(operands, builder, reporter);
  if (written === undefined) return;
  const space = windowOf[written] ?? written;
  for (const operand of operands) {
    if (operand.kind !== "address") continue;
    const { of } = operand;
    const actual =
      of.kind === "variable"
        ? of.variable.kind === "local"
          ? "local"
          : "param"
        : of.kind === "symbol" && of.symbol.kind === "variable"
          ? of.symbol.space
          : undefined;
    if (actual === undefined || actual === space) continue;
    const name = of.kind === "variable" ? of.variable.name : of.kind === "symbol" ? of.symbol.name : "";
    reporter.report("operand-space", of.node, `'${name}' is in .${actual}, and the instruction accesses .${written}`);
  }
  if (space === "param" && opcode.form.opcode === "st" && hasModifier(opcode, "param")) {
    for (const operand of operands) {
      if (operand.kind === "address" && operand.of.kind === "variable" && operand.of.variable.kind === "parameter") {
        reporter.report(
          "operand-space",
          operand.of.node,
          `'${operand.of.variable.name}' is an input parameter and cannot be written`,
        );
      }
    }
  }
}
