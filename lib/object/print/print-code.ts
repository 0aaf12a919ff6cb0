// Prints decoded code as PTX: one instruction, one operand. Opcodes are spelled as in the isa table, immediates by the type of
// their place, floats as exact bits. Used by disassemble.ts, by inspect and by messages about a fault. Rejected: using the syntax
// tree and its printer, which would build a tree per instruction and throw it away.

import { assertNever } from "../../base/assert.js";
import type { Code } from "../../isa/code.js";
import type { Base, Operand } from "../../isa/instruction.js";
import type { OperandShape } from "../../isa/opcode.js";
import type { DataType } from "../../isa/types.table.js";

/** The text for a symbol slot of the code; `offset` in bytes is added to the name (a linked slot may point into a variable). */
export interface SymbolText {
  readonly name: string;
  readonly offset: bigint;
}

/** The names that printing needs, made once per function. */
export interface CodeNames {
  symbol(slot: number): SymbolText;
  /** The first label of an instruction. */
  label(target: number): string;
  /** All labels of an instruction, generated ones included. */
  labelsAt(target: number): readonly string[];
}

/** `symbol`: names the slots; labels without a name are named after their instruction. */
export function codeNames(code: Code, symbol: (slot: number) => SymbolText): CodeNames {
  const byTarget = new Map<number, string[]>();
  const add = (target: number, name: string): void => {
    const names = byTarget.get(target);
    if (names === undefined) byTarget.set(target, [name]);
    else names.push(name);
  };
  for (const { name, target } of code.labels) add(target, name);
  const refer = (target: number): void => {
    if (!byTarget.has(target)) add(target, `$L${target}`);
  };
  for (const { operands } of code.instructions)
    for (const operand of operands) if (operand?.kind === "label") refer(operand.target);
  for (const { targets } of code.branchTargets) targets.forEach(refer);
  return {
    symbol,
    label: (target) => byTarget.get(target)?.[0] ?? `$L${target}`,
    labelsAt: (target) => byTarget.get(target) ?? [],
  };
}

/** Instruction `index` with its guard and semicolon. */
export function printInstruction(code: Code, index: number, names: CodeNames): string {
  const { opcode, guard, operands } = code.instructions[index]!;
  const condition = guard === undefined ? "" : `@${guard.negated ? "!" : ""}${code.registers[guard.register]!.name} `;
  let text = condition + opcode.spelling;
  let separator = " ";
  for (let i = 0; i < operands.length; i++) {
    const operand = operands[i];
    if (operand === undefined) continue;
    text += separator + printOperand(code, operand, opcode.operands[i], names);
    separator = ", ";
  }
  return `${text};`;
}

/** Prints one operand; `shape`: its place in the instruction, which gives immediates their type. */
function printOperand(code: Code, operand: Operand, shape: OperandShape | undefined, names: CodeNames): string {
  const all = (operands: readonly Operand[], shapeOf: (i: number) => OperandShape | undefined): string =>
    operands.map((item, i) => printOperand(code, item, shapeOf(i), names)).join(", ");
  switch (operand.kind) {
    case "register": {
      const sign = operand.negated !== true ? "" : shape?.spec.negatable === true ? "!" : "-";
      const selector = operand.selector === undefined ? "" : `.${operand.selector}`;
      return `${sign}${code.registers[operand.register]!.name}${selector}`;
    }
    case "special":
      return `%${operand.name}`;
    case "immediate":
      return printImmediate(operand.bits, shape?.type);
    case "address-of":
      return printBase(code, operand.base, operand.offset, names);
    case "address": {
      const base = printBase(code, operand.base, operand.offset, names);
      const rest = all(operand.rest, (i) => shape?.rest[i]);
      const mark = operand.unified === true ? ".unified" : "";
      return `[${rest === "" ? base : `${base}, ${rest}`}]${mark}`;
    }
    case "vector":
      return wholeSpecial(operand.elements) ?? `{${all(operand.elements, (i) => elementShape(shape, i))}}`;
    case "list":
      return `(${all(operand.elements, () => undefined)})`;
    case "pair":
      return `${printOperand(code, operand.first, shape, names)}|${printOperand(code, operand.second, shape?.pair, names)}`;
    case "label":
      return names.label(operand.target);
    case "table":
      return tableName(code, operand.table, operand.index);
    case "sink":
      return "_";
    default:
      return assertNever(operand);
  }
}

/** `%tid` for an operand of its four components in order. */
function wholeSpecial(elements: readonly Operand[]): string | undefined {
  const names = elements.map((element) => (element.kind === "special" ? element.name : ""));
  const stem = names[0]?.replace(/\.x$/, "");
  return names.length === 4 && names.every((name, i) => name === `${stem}.${"xyzw"[i]}`) ? `%${stem}` : undefined;
}

function elementShape(shape: OperandShape | undefined, index: number): OperandShape | undefined {
  const type = shape?.elements?.[index];
  return shape === undefined || type === undefined ? shape : { ...shape, type };
}

function tableName(code: Code, table: (Operand & { kind: "table" })["table"], index: number): string {
  const tables = {
    "branch-targets": code.branchTargets,
    "call-targets": code.callTargets,
    prototypes: code.prototypes,
  };
  return tables[table][index]!.name;
}

/** `base+8`, `base+-8`, `base`, `4096`. */
function printBase(code: Code, base: Base, offset: bigint, names: CodeNames): string {
  const plus = (name: string, bytes: bigint): string => (bytes === 0n ? name : `${name}+${bytes}`);
  switch (base.kind) {
    case "register":
      return plus(code.registers[base.register]!.name, offset);
    case "variable":
      return plus(code.variables[base.variable]!.name, offset);
    case "symbol": {
      const symbol = names.symbol(base.symbol);
      return plus(symbol.name, symbol.offset + offset);
    }
    case "absolute":
      return String(offset);
  }
}

/** A constant of a type: floats as their bits, signed integers with their sign. */
export function printImmediate(bits: bigint, type: DataType | undefined): string {
  if (type?.class === "float" && type.lanes === 1 && (type.bits === 32 || type.bits === 64)) {
    const digits = bits.toString(16).toUpperCase();
    return type.bits === 32 ? `0f${digits.padStart(8, "0")}` : `0d${digits.padStart(16, "0")}`;
  }
  if (type?.class === "signed" && type.lanes === 1) return String(BigInt.asIntN(type.bits, bits));
  return bits < 2n ** 64n ? String(bits) : `0x${bits.toString(16)}`;
}
