// Reports what lints find in a function body: a second walk, after checking (lint.ts). Only bodies for which a lint may apply are
// walked (candidates.ts), so that the checker's main path stays free of it.

import type { Operand } from "../../isa/instruction.js";
import type { OperandShape } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";
import type { Ranged } from "../../ptx/source-text.js";
import type {
  AnyInstruction,
  BlockStatement,
  Instruction as InstructionNode,
  Operand as OperandNode,
  UnparsedInstructions,
} from "../../ptx/tree.js";
import type { Code } from "../../isa/code.js";
import type { InstructionReader } from "../../ptx/outline.js";
import type { FunctionContext } from "../builder.js";
import { stepsBefore } from "../element.js";
import { constantLint } from "./constants.js";
import type { LintContext } from "./lint.js";
import { instructionLints } from "./lints.js";
import { storedByte } from "./registers.js";

interface Walk extends LintContext {
  readonly reader: InstructionReader | undefined;
  /** Index of the next instruction. */
  next: number;
  /** By register: the number of the instruction that last wrote it, from 1; 0 if none has. */
  readonly writtenBy: Int32Array;
  /** By register: the place of its first read. */
  readonly firstRead: (Ranged | undefined)[];
}

/** Reports what lints find in a body that was checked without an error. */
export function lintBody(
  body: BlockStatement<AnyInstruction>,
  code: Code,
  { module: { symbols }, reporter, unparsed }: FunctionContext,
): void {
  const count = code.registers.length;
  const walk: Walk = {
    reader: unparsed?.reader,
    code,
    symbols,
    reporter,
    next: 0,
    writtenBy: new Int32Array(count),
    firstRead: new Array<Ranged | undefined>(count).fill(undefined),
  };
  for (const { register } of code.variables) if (register !== undefined) walk.writtenBy[register] = -1;
  lintBlock(body, walk);
  reportUnset(walk);
}

function lintBlock(block: BlockStatement<AnyInstruction>, walk: Walk): void {
  for (const statement of block.statements) {
    if (statement.kind === "unparsed") lintUnparsed(statement, walk);
    else if (statement.kind === "instruction") lintInstruction(statement, walk);
    else if (statement.kind === "block") lintBlock(statement, walk);
  }
}

function lintUnparsed({ token: first, count }: UnparsedInstructions, walk: Walk): void {
  const reader = walk.reader!;
  let token = first;
  for (let i = 0; i < count && reader.read(token); i++) {
    token = reader.records.semicolon + 1;
    lintInstruction(reader.node(), walk);
  }
}

function lintInstruction(node: InstructionNode, walk: Walk): void {
  for (let steps = stepsBefore(node); steps > 0; steps--) {
    const written = walk.code.instructions[walk.next++]!.operands[0];
    if (written?.kind === "register") walk.writtenBy[written.register] = -1;
  }
  const instruction = walk.code.instructions[walk.next++]!;
  const { opcode, operands, guard } = instruction;
  if (guard !== undefined) walk.firstRead[guard.register] ??= node.guard!.name;
  let next = 0;
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (operand === undefined) continue;
    visit(operand, opcode.operands[i]!, opcode.operands[i]!.type, node.operands[next++]!, walk);
  }
  for (const lint of instructionLints(opcode)) lint.report(instruction, node, walk);
  forgetRead(operands[storedByte(opcode)], node, walk);
}

function visit(operand: Operand, shape: OperandShape, type: DataType | undefined, node: OperandNode, walk: Walk): void {
  switch (operand.kind) {
    case "register":
      if (shape.spec.access !== "write") walk.firstRead[operand.register] ??= node;
      if (shape.spec.access !== "read") noteWrite(operand, node, walk);
      return;
    case "immediate":
      if (type !== undefined && node.kind === "constant") constantLint.report(operand.bits, type, node, walk.reporter);
      return;
    case "address":
      if (operand.base.kind === "register") {
        walk.firstRead[operand.base.register] ??= node.kind === "address" ? node.base : node;
      }
      operand.rest.forEach((one, i) => readAll(one, node.kind === "address" ? (node.rest[i] ?? node) : node, walk));
      return;
    case "vector": {
      const nodes = node.kind === "vector" && node.elements.length === operand.elements.length ? node.elements : [];
      const own = shape.spec.type.kind === "split" ? undefined : type;
      for (let i = 0; i < operand.elements.length; i++) {
        visit(operand.elements[i]!, shape, shape.elements?.[i] ?? own, nodes[i] ?? node, walk);
      }
      return;
    }
    case "pair": {
      const [first, second] = node.kind === "pair" ? [node.first, node.second] : [node, node];
      visit(operand.first, shape, type, first, walk);
      visit(operand.second, shape.pair!, shape.pair!.type, second, walk);
      return;
    }
    case "list":
      operand.elements.forEach((one, i) =>
        visit(one, shape, undefined, node.kind === "list" ? node.elements[i]! : node, walk),
      );
      return;
    default:
  }
}

/** Storing a byte does not count as reading the register: registers.ts. */
function forgetRead(operand: Operand | undefined, node: InstructionNode, { firstRead }: Walk): void {
  if (operand?.kind !== "register") return;
  const at = firstRead[operand.register];
  if (at !== undefined && node.operands.some((one) => one === at)) firstRead[operand.register] = undefined;
}

/** Records reads in the part of an address after its base. */
function readAll(operand: Operand, node: OperandNode, walk: Walk): void {
  if (operand.kind === "register") walk.firstRead[operand.register] ??= node;
  else if (operand.kind === "vector") for (const element of operand.elements) readAll(element, node, walk);
}

function noteWrite({ register, selector }: Operand & { kind: "register" }, node: Ranged, walk: Walk): void {
  if (walk.writtenBy[register] === walk.next && selector === undefined) {
    const { name } = walk.code.registers[register]!;
    walk.reporter.report(
      "written-twice",
      node,
      `this instruction writes ${name} twice; which value stays is not defined`,
    );
  }
  walk.writtenBy[register] = walk.next;
}

function reportUnset({ code, writtenBy, firstRead, reporter }: Walk): void {
  // Other functions may have written the module's registers.
  const ofModule = new Set(code.moduleRegisters?.map(({ register }) => register));
  firstRead.forEach((at, register) => {
    if (at === undefined || writtenBy[register] !== 0 || ofModule.has(register)) return;
    const { name } = code.registers[register]!;
    reporter.report("unset-register", at, `${name} is read here, and no instruction of this function writes it`);
  });
}
