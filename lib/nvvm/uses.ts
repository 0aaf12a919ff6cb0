// The references of a body: functions, in any constant, and assembly.

import type { Body, Function } from "./ir/global.js";
import type { Constant, Value } from "./ir/value.js";

export interface Uses {
  readonly functions: ReadonlySet<Function>;
  /** Whether there is inline assembly. */
  readonly hasAssembly: boolean;
}

export function usesOf({ blocks }: Body): Uses {
  const found = new Set<Function>();
  let hasAssembly = false;
  const seen = new Set<Value>();
  const pending: Value[] = [];
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      for (const operand of instruction.operands) pending.push(operand);
      if ("callee" in instruction) pending.push(instruction.callee);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (next.kind === "function") found.add(next);
        else if (next.kind === "asm") hasAssembly = true;
        else if (isNested(next) && !seen.has(next)) {
          seen.add(next);
          for (const inner of partsOf(next)) pending.push(inner);
        }
      }
    }
  return { functions: found, hasAssembly };
}

type Nested = Extract<Constant, { readonly kind: "aggregate" | "expression" | "alias" | "ifunc" }>;

const isNested = (value: Value): value is Nested =>
  value.kind === "aggregate" || value.kind === "expression" || value.kind === "alias" || value.kind === "ifunc";

function partsOf(value: Nested): readonly Constant[] {
  if (value.kind === "aggregate") return value.elements;
  return value.kind === "expression" ? value.operands : [value.aliasee];
}
