// Arguments and results of call against the callee's prototype: PTX ISA 9.0 sections 7.1 and 9.7.12.5.

import type { Code, Parameter, Prototype } from "../isa/code.js";
import type { Instruction, Operand } from "../isa/instruction.js";
import type { Instruction as Statement, Operand as Node, Ranged } from "../ptx/tree.js";
import { agrees } from "./agree.js";
import type { ModuleSymbol } from "./module.js";
import type { Reporter } from "./reporter.js";
import { typeText } from "./symbols.js";

export interface CallContext {
  readonly code: Pick<Code, "variables" | "prototypes" | "callTargets">;
  readonly registers: Code["registers"];
  readonly symbols: readonly ModuleSymbol[];
  readonly reporter: Reporter;
}

/** Reports what does not fit; an instruction that is not a call is left alone. */
export function checkCall(instruction: Instruction, statement: Statement, context: CallContext): void {
  const names = instruction.opcode.form.operands.map((spec) => spec.name);
  const at = (name: string): Operand | undefined => instruction.operands[names.indexOf(name)];
  const callee = at("f");
  const target =
    callee?.kind === "address-of" && callee.base.kind === "symbol" ? context.symbols[callee.base.symbol] : undefined;
  const prototype = target?.kind === "function" ? target.prototype : indirectPrototype(at("t"), context);
  if (prototype === undefined) {
    context.reporter.report("call", statement, "an indirect call needs a prototype or a list of its possible targets", {
      remedy: "declare one with .callprototype above the call and name it as the last operand",
    });
    return;
  }
  if (target?.kind === "function" && target.entry && at("t") === undefined) {
    context.reporter.report("call", statement, `'${target.name}' is a kernel; kernels are launched, not called`);
    return;
  }
  const declared = target === undefined ? [] : [{ message: `'${target.name}' is declared here`, place: target.place }];
  const lists: readonly (readonly [string, Operand | undefined, readonly Parameter[]])[] = [
    ["return value", at("d"), prototype.returns],
    ["argument", at("a"), prototype.parameters],
  ];
  for (const [what, operand, formals] of lists) {
    const actuals = operand?.kind === "list" ? operand.elements : [];
    if (actuals.length !== formals.length) {
      context.reporter.report(
        "call",
        statement,
        `${count(actuals.length, what)}, but the callee has ${formals.length}`,
        { notes: declared },
      );
      continue;
    }
    actuals.forEach((actual, i) => {
      const wrong = argumentFault(actual, formals[i]!, context);
      if (wrong !== undefined) {
        context.reporter.report(
          "call",
          listElement(statement, what, i),
          `${what} ${i + 1} is ${wrong}; the callee has ${formalText(formals[i]!)}`,
          {
            notes: declared,
          },
        );
      }
    });
  }
}

const formalText = ({ layout }: Parameter): string => `${typeText(layout)} aligned to ${layout.align} bytes`;

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

function indirectPrototype(table: Operand | undefined, context: CallContext): Prototype | undefined {
  if (table?.kind !== "table") return undefined;
  if (table.table === "prototypes") return context.code.prototypes[table.index]?.prototype;
  const first = context.code.callTargets[table.index]?.symbols[0];
  const symbol = first === undefined ? undefined : context.symbols[first];
  return symbol?.kind === "function" ? symbol.prototype : undefined;
}

/** What the actual is, in words, when it cannot be passed as that formal. */
function argumentFault(actual: Operand, formal: Parameter, context: CallContext): string | undefined {
  switch (actual.kind) {
    case "register": {
      const { type } = context.registers[actual.register]!;
      const fits =
        formal.layout.dimensions.length === 0 && (agrees(type, formal.layout.type) || widerRegister(type.bits, formal));
      return fits ? undefined : `a .${type.name} register`;
    }
    case "address-of": {
      if (actual.base.kind !== "variable") return "the address of a module variable";
      const { layout } = context.code.variables[actual.base.variable]!;
      const same =
        layout.size === formal.layout.size && (layout.dimensions.length > 0 || agrees(layout.type, formal.layout.type));
      if (!same) return typeText(layout);
      return layout.align < formal.layout.align ? `aligned to ${layout.align} bytes` : undefined;
    }
    default:
      return undefined;
  }
}

/** 8-bit values live in wider registers. */
const widerRegister = (bits: number, formal: Parameter): boolean =>
  formal.layout.type.bits < 16 && bits >= formal.layout.type.bits;

/** Where the i-th argument (or result) stands in the text. */
function listElement(statement: Statement, what: string, i: number): Ranged {
  const lists = statement.operands.filter((operand): operand is Node & { kind: "list" } => operand.kind === "list");
  const list = what === "argument" ? lists.at(-1) : lists[0];
  return list?.elements[i] ?? statement;
}
