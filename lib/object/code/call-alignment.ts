// Adjusts the alignment of arguments to that of the callee's parameters. Two modules may declare one function with different
// alignment of bytes (linking allows it), but within a module ptxas requires that an argument's alignment equals the formal
// parameter's.

import type { Code, FrameVariable, Parameter, Prototype } from "../../isa/code.js";
import type { Operand } from "../../isa/instruction.js";

/** The code after changing the alignment of `.param` arrays of calls to that of `prototypeOf(slot)`. */
export function withCalleesAlignment(code: Code, prototypeOf: (slot: number) => Prototype | undefined): Code {
  if (!code.variables.some(isArray)) return code;
  const aligns = new Map<number, number>();
  const hold = (list: Operand | undefined, formals: readonly Parameter[]): void => {
    if (list?.kind !== "list") return;
    list.elements.forEach((actual, i) => {
      if (actual.kind !== "address-of" || actual.base.kind !== "variable") return;
      const variable = code.variables[actual.base.variable]!;
      const align = formals[i]?.layout.align;
      if (isArray(variable) && align !== undefined && align !== variable.layout.align)
        aligns.set(actual.base.variable, align);
    });
  };
  for (const { opcode, operands } of code.instructions) {
    const at = opcode.form.operands.findIndex(({ kind }) => kind === "callee");
    const callee = operands[at];
    if (callee?.kind !== "address-of" || callee.base.kind !== "symbol") continue;
    const prototype = prototypeOf(callee.base.symbol);
    if (prototype === undefined) continue;
    hold(operands.slice(0, at).find(isList), prototype.returns);
    hold(operands.slice(at + 1).find(isList), prototype.parameters);
  }
  if (aligns.size === 0) return code;
  const variables = code.variables.map((variable, i) => {
    const align = aligns.get(i);
    return align === undefined ? variable : { ...variable, layout: { ...variable.layout, align } };
  });
  return { ...code, variables };
}

const isArray = ({ kind, layout }: FrameVariable): boolean => kind === "param" && layout.dimensions.length > 0;
const isList = (operand: Operand | undefined): boolean => operand?.kind === "list";
