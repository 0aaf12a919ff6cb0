// Elements of arrays, `table[3]` and `table[%r1 + 1]`: PTX ISA 9.0 section 6.4.2. A constant index is an offset. An index in a
// register has no operand. It is expanded to the instructions that ptxas 13.0 makes of it (the same machine code, measured). They
// truncate or extend the index to 32 bits, multiply it, and add it to the address of the array.
//
// Rejected: an address base with an array, a register and a stride. Every reader of instructions, the engines and the file format
// would have to support it, and only hand-written text uses it.

import type { Register } from "../isa/code.js";
import { dataType } from "../isa/types.table.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Instruction, NameOperand, Operand } from "../ptx/tree.js";
import { resolveOperand, strideOf, type Resolved } from "./resolve.js";
import { declareRegister, isDeclared, type Scope } from "./scope.js";
import type { NameContext } from "./symbols.js";

type Element = Operand & { readonly kind: "element" };
/** Instructions for which an array element without brackets is an access, as in ptxas; mov and cvta take its address. */
const accesses = /^(?:ldu?|st(?!\.async|\.bulk))\./;

/** Converts elements in the operands of those instructions to addresses. */
export function addressesOf(node: Instruction, operands: readonly Resolved[]): readonly Resolved[] {
  const isElement = ({ node: { kind } }: Resolved): boolean => kind === "element";
  if (!operands.some(isElement) || !accesses.test(node.opcode.text)) return operands;
  return operands.map((operand) => {
    if (!isElement(operand) || (operand.kind !== "symbol" && operand.kind !== "variable")) return operand;
    const of =
      operand.kind === "symbol"
        ? ({ kind: "symbol", symbol: operand.index } as const)
        : ({ kind: "variable", variable: operand.index } as const);
    return { kind: "address", base: of, of: operand, offset: operand.offset, rest: [], node: operand.node };
  });
}

// --------------------------------------------------------------------------------------------------- index in a register

const steps = 5;

/** Number of inserted instructions before this one, which compute an address from an index in a register. */
export function stepsBefore({ operands }: Instruction): number {
  for (const operand of operands) if (isIndexed(operand)) return steps;
  return 0;
}

function isIndexed(operand: Operand): operand is Element & { readonly index: NameOperand } {
  return operand.kind === "element" && operand.index.kind === "name";
}

/** The instruction, preceded by those that compute the address of its element; undefined after a report. */
export function expandElement(node: Instruction, names: NameContext): readonly Instruction[] | undefined {
  const element = node.operands.find(isIndexed)!;
  const { scope, reporter } = names;
  const { text } = node.opcode;
  const isAccess = accesses.test(text);
  if (!isAccess && !addressOpcodes.test(text)) {
    reporter.report("operand-kind", element, `an array element cannot be an operand of ${text}`, {
      remedy: "load it first, with ld, or take its address, with mov",
    });
    return undefined;
  }
  const index = resolveOperand(element.index, names);
  const array = resolveOperand({ kind: "name", ...rangeOf(element.array), name: element.array }, names);
  if (index === undefined || array === undefined) return undefined;
  if (element.index.subtracted === true)
    reporter.report(
      "beyond-ptxas",
      element.index,
      "ptxas rejects '-' in an array index; it accepts '+' and a constant",
    );
  const stride = strideOf(array);
  if (stride === undefined) {
    reporter.report("operand-kind", element, `'${element.array.text}' is not an array`);
    return undefined;
  }
  if ((index.kind !== "register" && index.kind !== "register-offset") || !isIndex(index.register)) {
    const message = "the index of an array is a constant, or an integer register of 16, 32 or 64 bits with an offset";
    reporter.report("operand-type", element.index, message);
    return undefined;
  }
  const { type } = index.register;
  const offset = index.kind === "register" ? 0n : index.offset;
  // For addresses in a window, mov may use 32 bits.
  const width = !isAccess && text.endsWith("32") ? 32 : 64;
  const at = rangeOf(element);
  const [scaled, address, start] = ["index", "element", "array"].map((role) => unusedName(role, scope)) as [
    string,
    string,
    string,
  ];
  const declared = [[scaled, "b32"], [address, `b${width}`], [start, `b${width}`]] as const; // prettier-ignore
  for (const [register, bits] of declared) declareRegister(scope, { ...at, text: register }, dataType(bits)!, 1);
  const name = (of: string): NameOperand => ({ kind: "name", ...at, name: { ...at, text: of } });
  const number = (value: bigint): Operand => {
    return { kind: "constant", ...at, value: { kind: "integer", ...at, value, unsigned: false } };
  };
  const step = (opcode: string, ...operands: readonly Operand[]): Instruction => {
    return { kind: "instruction", ...at, opcode: { ...at, text: opcode }, operands };
  };
  const whole = isAccess ? { kind: "address" as const, ...at, base: name(address), rest: [] } : name(address);
  const factor = BigInt(stride);
  return [
    step(`cvt.u32.${type.class === "signed" ? "s" : "u"}${type.bits}`, name(scaled), name(element.index.name.text)),
    step("mad.lo.u32", name(scaled), name(scaled), number(factor), number(BigInt.asUintN(32, offset * factor))),
    step(`cvt.u${width}.u32`, name(address), name(scaled)),
    step(`mov.u${width}`, name(start), name(element.array.text)),
    step(`add.u${width}`, name(address), name(address), name(start)),
    { ...node, operands: node.operands.map((operand) => (operand === element ? whole : operand)) },
  ];
}

/** Instructions that take the address of an element. */
const addressOpcodes = /^(?:mov|cvta)\./;

const rangeOf = ({ start, end }: Ranged): Ranged => ({ start, end });

const isIndex = ({ type, vector }: Register): boolean =>
  vector === 1 && type.bits >= 16 && type.bits <= 64 && ["signed", "unsigned", "bits"].includes(type.class);

/** An unused name: "%index" with a number that makes it unique. */
export function unusedName(role: string, scope: Scope, number = 0): string {
  const name = `%${role}_${number}`;
  return isTaken(name, scope) ? unusedName(role, scope, number + 1) : name;
}

const isTaken = (name: string, scope: Scope | undefined): boolean =>
  scope !== undefined && (isDeclared(scope, name) || isTaken(name, scope.parent));
