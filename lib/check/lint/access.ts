// Lint: a load, store or atomic operation that names a variable and accesses bytes outside it, or misaligned ones. It faults
// whenever it executes.

import type { Layout } from "../../isa/code.js";
import type { Base, Instruction, Operand } from "../../isa/instruction.js";
import { hasTrait, type Opcode } from "../../isa/opcode.js";
import { CONSTANT_BANK_BYTES, isConstantBank } from "../../isa/state-spaces.table.js";
import type { Instruction as InstructionNode } from "../../ptx/tree.js";
import { typeText } from "../symbols.js";
import { type Declared, type InstructionLint, type LintContext } from "./lint.js";

/** Operand numbers of a memory access, and the number of accessed bytes. */
export interface AccessPlaces {
  readonly address: number;
  readonly value: number;
  readonly bytes: number;
}

const accessing = ["load", "store", "atomic"] as const;

/** The places of an access; undefined for opcodes that do not access memory of known size at an address. */
export function accessPlaces(opcode: Opcode): AccessPlaces | undefined {
  if (!accessing.some((trait) => hasTrait(opcode, trait))) return undefined;
  const { operands } = opcode;
  const address = operands.findIndex(({ spec }) => spec.kind === "address");
  const value = operands.findIndex(({ spec }) => spec.kind === "value" || spec.kind === "register");
  const { type, count } = operands[value] ?? {};
  if (address < 0 || type === undefined || type.bits < 8 || count === "any") return undefined;
  return { address, value, bytes: (type.bits / 8) * (count ?? 1) };
}

export function accessLint(opcode: Opcode): InstructionLint | undefined {
  const places = accessPlaces(opcode);
  return (
    places && {
      mayApply: (operands, declared) => mayFault(places, operands, declared),
      report: (instruction, node, context) => reportAccess(places, instruction, node, context),
    }
  );
}

/** Whether the access may fault. An offset that a number cannot hold exactly is outside the variable. */
function mayFault(
  { address: place, bytes }: AccessPlaces,
  operands: readonly (Operand | undefined)[],
  declared: Declared,
): boolean {
  const address = operands[place];
  if (address?.kind !== "address") return false;
  const variable = variableOf(address.base, declared);
  if (variable === undefined || !("layout" in variable)) return false;
  // A constant bank's declaration does not have its size.
  if ("space" in variable && isConstantBank(variable.space)) return true;
  const { size, align } = variable.layout;
  const offset = Number(address.offset);
  const isInside = offset >= 0 && (size === 0 || offset + bytes <= size);
  return bytes > align || offset % bytes !== 0 || !isInside;
}

const variableOf = (base: Base, { variables, symbols }: Declared) =>
  base.kind === "variable" ? variables[base.variable] : base.kind === "symbol" ? symbols[base.symbol] : undefined;

function reportAccess(
  { address: place, bytes }: AccessPlaces,
  { operands }: Instruction,
  node: InstructionNode,
  { code, symbols, reporter }: LintContext,
): void {
  const address = operands[place];
  if (address?.kind !== "address") return;
  const { base, offset } = address;
  const symbol = base.kind === "symbol" ? symbols[base.symbol] : undefined;
  const declared: { readonly name: string; readonly layout: Layout } | undefined =
    base.kind === "variable" ? code.variables[base.variable] : symbol?.kind === "variable" ? symbol : undefined;
  if (declared === undefined) return;
  const { layout } = declared;
  const { align } = layout;
  const size = symbol?.kind === "variable" && isConstantBank(symbol.space) ? CONSTANT_BANK_BYTES : layout.size;
  const end = offset + BigInt(bytes);
  const outside = size > 0 && (offset < 0n || end > BigInt(size));
  const aligned = bytes <= align && (offset === 0n || offset % BigInt(bytes) === 0n);
  if (!outside && aligned) return;
  const written = node.operands.find((operand) => operand.kind === "address");
  const at = written?.kind === "address" ? written.base : node.operands[0]!;
  // The name in the text: a variable of a body has another name in the object.
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
