// Small modules made by hand, as the checker would make them of a few lines of PTX, so that these tests do not depend
// on it.

import type { CheckedModule, FunctionSymbol, InitialValue, ModuleSymbol, Variable } from "../../lib/check/module.js";
import type { Code, Layout, Parameter, Prototype, Register } from "../../lib/isa/code.js";
import type { Instruction, Operand } from "../../lib/isa/instruction.js";
import { resolveOpcode } from "../../lib/isa/opcode.js";
import { parseTarget, type Target } from "../../lib/isa/requirement.js";
import { dataType, type DataType } from "../../lib/isa/types.table.js";

export const type = (name: string): DataType => dataType(name)!;
export const target = (name: string): Target => parseTarget(name)!;

export function layout(name: string, dimensions: readonly (number | undefined)[] = [], align?: number): Layout {
  const element = type(name).bits / 8;
  const size = dimensions.reduce<number>((product, n) => product * (n ?? 0), element);
  return { type: type(name), vector: 1, dimensions, align: Math.max(align ?? 1, element, 1), size };
}

export const place = (line: number) => ({ kind: "text", file: "m.ptx", line, column: 1, start: 0, end: 1 }) as const;

export function variable(name: string, space: Variable["space"], of: Layout, more: Partial<Variable> = {}): Variable {
  return { kind: "variable", name, linkage: "static", place: place(4), space, layout: of, managed: false, ...more };
}

export function initial(bytes: readonly number[], fixups: InitialValue["fixups"] = []): InitialValue {
  return { bytes: Uint8Array.from(bytes), fixups };
}

export const parameter = (name: string, of: Layout): Parameter => ({ name, space: "param", layout: of });
export const prototype = (parameters: readonly Parameter[] = [], returns: readonly Parameter[] = []): Prototype => ({
  returns,
  parameters,
  noreturn: false,
});

export function fn(name: string, code: Code | undefined, more: Partial<FunctionSymbol> = {}): FunctionSymbol {
  return {
    kind: "function",
    name,
    linkage: "visible",
    place: place(9),
    entry: false,
    prototype: prototype(),
    directives: [],
    ...(code === undefined ? {} : { code }),
    ...more,
  };
}

export const register = (index: number): Operand => ({ kind: "register", register: index });

export function instruction(
  spelling: string,
  form: string,
  operands: readonly (Operand | undefined)[],
  line = 10,
): Instruction {
  const opcode = resolveOpcode(spelling).find((reading) => reading.form.id === form);
  if (opcode === undefined) throw new Error(`no ${spelling} of form ${form}`);
  const padded = opcode.form.operands.map((_, i) => operands[i]);
  return { opcode, guard: undefined, operands: padded, line, location: -1 };
}

export function code(
  registers: readonly Register[],
  instructions: readonly Instruction[],
  more: Partial<Code> = {},
): Code {
  return {
    registers,
    variables: [],
    instructions,
    labels: [],
    branchTargets: [],
    callTargets: [],
    prototypes: [],
    locations: [],
    pragmas: [],
    ...more,
  };
}

export function checkedModule(symbols: readonly ModuleSymbol[], more: Partial<CheckedModule> = {}): CheckedModule {
  return {
    name: "m.ptx",
    version: 85,
    target: target("sm_75"),
    targetOptions: [],
    targetLine: 2,
    symbols,
    files: [],
    debugSections: [],
    ...more,
  };
}
