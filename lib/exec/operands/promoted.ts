// Promotes parameter variables to registers: each function's own .param variables and formals of up to 64 bits that are loaded,
// stored and passed as a whole, and whose address is not taken. A frame holds them like registers, lane-contiguous; their place
// in local memory stays reserved and unused.
// (Rejected: all of them in local memory. Passing an argument of 32 lanes took 96 separate accesses.)

import { hasTrait, typeOf } from "../../isa/opcode.js";
import type { Code, Register } from "../../isa/code.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { dataType } from "../../isa/types.table.js";

export interface Promoted {
  /** By variable: the register that holds it, numbered after those of the code; undefined for others. */
  readonly registerOf: readonly (number | undefined)[];
  /** The registers that hold promoted variables. */
  readonly registers: readonly Register[];
}

const SIZES: ReadonlySet<number> = new Set([1, 2, 4, 8]);

/** Selects the variables that are promoted. A kernel's formals are not. */
export function promotedVariables({ variables, registers, instructions }: Code, isKernel: boolean): Promoted {
  const may = variables.map(
    ({ kind, layout, register }) =>
      register === undefined &&
      kind !== "local" &&
      !(isKernel && kind !== "param") &&
      layout.vector === 1 &&
      SIZES.has(layout.size),
  );
  if (may.includes(true)) {
    const isPromotable = (variable: number): boolean => may[variable]!;
    const sizeOf = (variable: number): number => variables[variable]!.layout.size;
    const endsByReturn = returnsOnly(instructions);
    variables.forEach(({ kind }, i) => {
      if (kind === "return" && !endsByReturn) may[i] = false;
    });
    for (const instruction of instructions)
      for (const operand of instruction.operands) refuse(instruction, operand, isPromotable, sizeOf, may);
  }
  const all: Register[] = [];
  const registerOf = variables.map(({ name, layout }, i) => {
    if (!may[i]!) return undefined;
    all.push({ name, type: dataType(layout.size === 8 ? "b64" : "b32")!, vector: 1 });
    return registers.length + all.length - 1;
  });
  return { registerOf, registers: all };
}

const departing = ["return", "exit", "branch"] as const;

/** Whether ret and exit are the only ways out of the function: the returned values are then known to be live there. */
function returnsOnly(instructions: readonly Instruction[]): boolean {
  const last = instructions.at(-1);
  const endsFunction =
    last !== undefined && last.guard === undefined && departing.some((trait) => hasTrait(last.opcode, trait));
  return (
    endsFunction &&
    instructions.every(({ operands }) =>
      operands.every((operand) => operand?.kind !== "label" || operand.target < instructions.length),
    )
  );
}

/** Removes from `may` each variable that the operand does not access as a whole. */
function refuse(
  instruction: Instruction,
  operand: Operand | undefined,
  isPromotable: (variable: number) => boolean,
  sizeOf: (variable: number) => number,
  may: boolean[],
): void {
  switch (operand?.kind) {
    case "address":
    case "address-of": {
      const { base } = operand;
      if (base.kind !== "variable" || !isPromotable(base.variable)) return;
      const isWhole = operand.kind === "address" ? isTransfer(instruction, sizeOf(base.variable)) : isCall(instruction);
      if (!isWhole || operand.offset !== 0n) may[base.variable] = false;
      return;
    }
    case "vector":
    case "list":
      for (const element of operand.elements) refuse(instruction, element, isPromotable, sizeOf, may);
      return;
    case "pair":
      refuse(instruction, operand.first, isPromotable, sizeOf, may);
      refuse(instruction, operand.second, isPromotable, sizeOf, may);
      return;
    default:
  }
}

const isCall = ({ opcode }: Instruction): boolean => hasTrait(opcode, "call");

/** Whether the instruction is ld or st of one value of that size. */
function isTransfer({ opcode, operands }: Instruction, size: number): boolean {
  return (
    (hasTrait(opcode, "load") || hasTrait(opcode, "store")) &&
    !hasTrait(opcode, "asynchronous") &&
    typeOf(opcode)?.bits === 8 * size &&
    operands.every((operand) => operand?.kind !== "vector")
  );
}

/** Register of the promoted variable that an ld or st accesses. */
export function transferred(registerOf: Promoted["registerOf"], operand: Operand | undefined): number | undefined {
  return operand?.kind === "address" && operand.base.kind === "variable"
    ? registerOf[operand.base.variable]
    : undefined;
}

/** Promoted variables that an instruction reads and writes, as registers. */
export function promotedUse(
  { variables }: Code,
  registerOf: Promoted["registerOf"],
  { opcode, operands }: Instruction,
): { readonly reads: readonly number[]; readonly writes: readonly number[] } {
  const known = (register: number | undefined): readonly number[] => (register === undefined ? [] : [register]);
  const accessed = (): readonly number[] => operands.flatMap((operand) => known(transferred(registerOf, operand)));
  if (hasTrait(opcode, "load")) return { reads: accessed(), writes: [] };
  if (hasTrait(opcode, "store")) return { reads: [], writes: accessed() };
  if (hasTrait(opcode, "return"))
    return {
      reads: registerOf.flatMap((register, i) => (variables[i]!.kind === "return" ? known(register) : [])),
      writes: [],
    };
  if (!hasTrait(opcode, "call")) return NOTHING;
  const passed = (access: "read" | "write"): readonly number[] =>
    opcode.form.operands.flatMap((spec, i) => (spec.access === access ? namedBy(registerOf, operands[i]) : []));
  return { reads: passed("read"), writes: passed("write") };
}

const NOTHING = { reads: [], writes: [] } as const;

function namedBy(registerOf: Promoted["registerOf"], operand: Operand | undefined): readonly number[] {
  if (operand?.kind === "list") return operand.elements.flatMap((element) => namedBy(registerOf, element));
  const isVariable = operand?.kind === "address-of" && operand.base.kind === "variable";
  const register = isVariable ? registerOf[(operand.base as { readonly variable: number }).variable] : undefined;
  return register === undefined ? [] : [register];
}
