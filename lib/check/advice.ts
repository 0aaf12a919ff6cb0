// Warnings about a function body that is right: what ptxas 13.0 takes without a word although it cannot have been meant. Each
// is a fact of the text alone: an access that faults whenever it runs, a register that nothing writes, a constant that loses
// bits. A second walk over the body, after checking, so that the checker's own path stays free of it; only bodies that raised a
// doubt on the way (doubts.ts) are walked.
//
// Rejected, because right programs have them: unused registers and labels (compilers leave them), comparisons that are
// always true (templates), code behind an unconditional branch, anything that needs to know values at run time.

import type { Code, Layout } from "../isa/code.js";
import type { Instruction, Operand } from "../isa/instruction.js";
import type { Opcode, OperandShape } from "../isa/opcode.js";
import { CONSTANT_BANK_BYTES, isConstantBank } from "../isa/state-spaces.table.js";
import type { DataType } from "../isa/types.table.js";
import { briefBehind } from "../ptx/brief.js";
import type {
  AnyInstruction,
  Block,
  BriefInstructions,
  Instruction as InstructionNode,
  Operand as OperandNode,
  Ranged,
} from "../ptx/tree.js";
import type { BriefContext } from "./brief.js";
import type { FunctionContext } from "./builder.js";
import { stepsBefore } from "./element.js";
import { foldConstant } from "../ptx/constant.js";
import type { ModuleSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";
import { typeText } from "./symbols.js";

interface Walk {
  readonly brief: BriefContext | undefined;
  readonly code: Code;
  readonly symbols: readonly ModuleSymbol[];
  readonly reporter: Reporter;
  /** Instructions seen so far: the next one's index. */
  next: number;
  /** By register: the number of the instruction that last wrote it, from 1; 0 while none has. */
  readonly writtenBy: Int32Array;
  /** By register: where it is first read. */
  readonly firstRead: (Ranged | undefined)[];
}

/** Reports what a person would want to know about a body that was checked. */
export function adviseOnBody(
  body: Block<AnyInstruction>,
  code: Code,
  { module: { symbols }, reporter, brief }: FunctionContext,
): void {
  const count = code.registers.length;
  const walk: Walk = {
    brief,
    code,
    symbols,
    reporter,
    next: 0,
    writtenBy: new Int32Array(count),
    firstRead: new Array<Ranged | undefined>(count).fill(undefined),
  };
  for (const { register } of code.variables) if (register !== undefined) walk.writtenBy[register] = -1;
  adviseOnBlock(body, walk);
  reportUnset(walk);
}

function adviseOnBlock(block: Block<AnyInstruction>, walk: Walk): void {
  for (const statement of block.statements) {
    if (statement.kind === "brief") adviseOnBriefs(statement, walk);
    else if (statement.kind === "instruction") adviseOnInstruction(statement, walk);
    else if (statement.kind === "block") adviseOnBlock(statement, walk);
  }
}

function adviseOnBriefs({ token: first, count }: BriefInstructions, walk: Walk): void {
  const { reader, whole } = walk.brief!;
  let token = first;
  for (let i = 0; i < count; i++) {
    const instruction = whole(token);
    if (instruction !== undefined) adviseOnInstruction(instruction, walk);
    token = briefBehind(reader.tokens.kinds, token);
  }
}

function adviseOnInstruction(statement: InstructionNode, walk: Walk): void {
  for (let steps = stepsBefore(statement); steps > 0; steps--) {
    const written = walk.code.instructions[walk.next++]!.operands[0];
    if (written?.kind === "register") walk.writtenBy[written.register] = -1;
  }
  const instruction = walk.code.instructions[walk.next++]!;
  const { opcode, operands, guard } = instruction;
  if (guard !== undefined) walk.firstRead[guard.register] ??= statement.guard!.name;
  let node = 0;
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (operand === undefined) continue;
    visit(operand, opcode.operands[i]!, opcode.operands[i]!.type, statement.operands[node++]!, walk);
  }
  const plan = planOf(opcode);
  if (plan === undefined) return;
  adviseOnPlan(plan, instruction, statement, walk);
  if (plan.access?.stored !== undefined) forgetRead(operands[plan.access.stored], statement, walk);
}

// ------------------------------------------------------------------------------------------------- operands, one by one

function visit(operand: Operand, shape: OperandShape, type: DataType | undefined, node: OperandNode, walk: Walk): void {
  switch (operand.kind) {
    case "register":
      if (shape.spec.access !== "write") walk.firstRead[operand.register] ??= node;
      if (shape.spec.access !== "read") noteWrite(operand, node, walk);
      return;
    case "immediate":
      if (type !== undefined && node.kind === "constant") checkImmediate(operand.bits, type, node, walk.reporter);
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

/** Compilers copy the byte of an empty class with whatever is in it: that is no mistake of anybody's. */
function forgetRead(operand: Operand | undefined, statement: InstructionNode, { firstRead }: Walk): void {
  if (operand?.kind !== "register") return;
  const at = firstRead[operand.register];
  if (at !== undefined && statement.operands.some((node) => node === at)) firstRead[operand.register] = undefined;
}

/** What stands in the brackets of an address behind its base. */
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
  // Other functions may have written those of the module.
  const ofModule = new Set(code.moduleRegisters?.map(({ register }) => register));
  firstRead.forEach((at, register) => {
    if (at === undefined || writtenBy[register] !== 0 || ofModule.has(register)) return;
    const { name } = code.registers[register]!;
    reporter.report("unset-register", at, `${name} is read here, and no instruction of this function writes it`);
  });
}

const infinities: ReadonlySet<bigint> = new Set([0x7f80_0000n, 0xff80_0000n]);

/** An integer that loses bits, or a float that becomes infinite, as a value of that type. */
function checkImmediate(
  bits: bigint,
  type: DataType,
  node: OperandNode & { kind: "constant" },
  reporter: Reporter,
): void {
  const { value: expression } = node;
  if (type.class === "float") {
    if (
      type.bits !== 32 ||
      !infinities.has(bits) ||
      (expression.kind === "float" && expression.spelling === "f32-bits")
    )
      return;
    const value = foldConstant(expression, ignore);
    if (value?.kind === "float" && Number.isFinite(value.value)) {
      reporter.report("float-range", node, `${value.value} is beyond the range of .${type.name} and becomes infinite`);
    }
    return;
  }
  if (type.class === "predicate" || type.bits >= 64) return;
  if (expression.kind === "integer" && expression.value >> BigInt(type.bits) === 0n) return;
  const value = foldConstant(expression, ignore);
  if (value?.kind !== "integer" || fitsBits(value.value, type.bits)) return;
  const message = `${value.value} does not fit .${type.name}; its low ${type.bits} bits are used: ${bits}`;
  reporter.report("constant-truncated", node, message);
}

const ignore = (): void => undefined;

/** Whether an integer is a value of that many bits, read as signed or as unsigned. */
export function fitsBits(value: bigint, bits: number): boolean {
  return value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits);
}

// ------------------------------------------------------------------------------------------- instructions that can fault

/** What is looked at in instructions of one opcode: indices of operands. */
export interface Plan {
  /** The bytes that are accessed at an address; `stored` is what a store of a single byte writes. */
  readonly access?: { readonly address: number; readonly bytes: number; readonly stored: number | undefined };
  /** A count, and the bits of what is shifted by it. */
  readonly shift?: { readonly count: number; readonly bits: number };
  readonly divisor?: number;
}

/** Instructions that access at their address what their first value holds. */
const accessing: ReadonlySet<string> = new Set(["ld", "ldu", "st", "atom", "red"]);
const shifting: ReadonlySet<string> = new Set(["shl", "shr"]);
const dividing: ReadonlySet<string> = new Set(["div", "rem"]);

// A memo of a pure function of the shared opcodes.
const plans = new WeakMap<Opcode, Plan | false>();

export function planOf(opcode: Opcode): Plan | undefined {
  let plan = plans.get(opcode);
  if (plan === undefined) plans.set(opcode, (plan = makePlan(opcode) ?? false));
  return plan === false ? undefined : plan;
}

function makePlan({ form, operands }: Opcode): Plan | undefined {
  const named = (name: string): number => operands.findIndex(({ spec }) => spec.name === name);
  if (accessing.has(form.opcode)) {
    const address = operands.findIndex(({ spec }) => spec.kind === "address");
    const value = operands.findIndex(({ spec }) => spec.kind === "value" || spec.kind === "register");
    const { type, count } = operands[value] ?? {};
    if (address < 0 || type === undefined || type.bits < 8 || count === "any") return undefined;
    const bytes = (type.bits / 8) * (count ?? 1);
    return { access: { address, bytes, stored: form.opcode === "st" && bytes === 1 ? value : undefined } };
  }
  const type = operands[0]?.type;
  if (type === undefined || type.class === "float") return undefined;
  if (shifting.has(form.opcode)) return { shift: { count: named("b"), bits: type.bits } };
  return dividing.has(form.opcode) ? { divisor: named("b") } : undefined;
}

function adviseOnPlan(plan: Plan, { opcode, operands }: Instruction, statement: InstructionNode, walk: Walk): void {
  const { access, shift, divisor } = plan;
  if (access !== undefined) {
    const address = operands[access.address];
    if (address?.kind === "address" && address.base.kind !== "register") checkAccess(address, access, statement, walk);
  } else if (shift !== undefined) {
    const count = operands[shift.count];
    if (count?.kind !== "immediate" || count.bits < BigInt(shift.bits)) return;
    const message = `a shift by ${BigInt.asIntN(32, count.bits)} leaves nothing of ${shift.bits} bits`;
    walk.reporter.report("shift-range", statement.operands.at(-1)!, message);
  } else if (divisor !== undefined) {
    const by = operands[divisor];
    if (by?.kind !== "immediate" || by.bits !== 0n) return;
    const message = `${opcode.spelling} by the constant zero: the result is not defined`;
    walk.reporter.report("division-by-zero", statement.operands.at(-1)!, message);
  }
}

/** An access to a variable by its name: within it, and at a multiple of what is accessed. */
function checkAccess(
  { base, offset }: Operand & { kind: "address" },
  { bytes }: NonNullable<Plan["access"]>,
  { operands }: InstructionNode,
  { code, symbols, reporter }: Walk,
): void {
  const symbol = base.kind === "symbol" ? symbols[base.symbol] : undefined;
  const declared: { readonly name: string; readonly layout: Layout } | undefined =
    base.kind === "variable" ? code.variables[base.variable] : symbol?.kind === "variable" ? symbol : undefined;
  if (declared === undefined) return;
  const { layout } = declared;
  const { align } = layout;
  // Of a driver's bank the declaration does not say the size.
  const size = symbol?.kind === "variable" && isConstantBank(symbol.space) ? CONSTANT_BANK_BYTES : layout.size;
  const end = offset + BigInt(bytes);
  const outside = size > 0 && (offset < 0n || end > BigInt(size));
  const aligned = bytes <= align && (offset === 0n || offset % BigInt(bytes) === 0n);
  if (!outside && aligned) return;
  const node = operands.find((operand) => operand.kind === "address");
  const at = node?.kind === "address" ? node.base : operands[0]!;
  // As written: a variable of a body has another name in the object.
  const name = at.kind === "name" ? at.name.text : at.kind === "element" ? at.array.text : declared.name;
  const notes =
    symbol === undefined
      ? []
      : [{ message: `'${name}' is ${typeText(layout)}, aligned to ${align}`, place: symbol.place }];
  if (outside) {
    const message = `bytes ${offset} to ${end - 1n} of '${name}' are accessed; it has ${size}`;
    reporter.report("out-of-bounds", at, message, { notes });
  } else if (bytes > align && offset % BigInt(align) === 0n) {
    const message = `an access of ${bytes} bytes needs that alignment; '${name}' is aligned to ${align} only`;
    reporter.report("misaligned-access", at, message, { notes, remedy: `declare it with .align ${bytes}` });
  } else {
    const message = `an access of ${bytes} bytes at '${name}'+${offset} is misaligned and faults`;
    reporter.report("misaligned-access", at, message, { notes });
  }
}
