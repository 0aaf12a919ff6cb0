// The functions that a body refers to, in whatever constant they stand.

import type { Body, Function } from "./ir/global.js";
import type { Constant, Value } from "./ir/value.js";

export function functionsIn({ blocks }: Body): ReadonlySet<Function> {
  const found = new Set<Function>();
  const seen = new Set<Value>();
  const pending: Value[] = [];
  for (const { instructions } of blocks)
    for (const instruction of instructions) {
      for (const operand of instruction.operands) pending.push(operand);
      if ("callee" in instruction) pending.push(instruction.callee);
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        if (next.kind === "function") found.add(next);
        else if (isNested(next) && !seen.has(next)) {
          seen.add(next);
          for (const inner of partsOf(next)) pending.push(inner);
        }
      }
    }
  return found;
}

type Nested = Extract<Constant, { readonly kind: "aggregate" | "expression" | "alias" | "ifunc" }>;

const isNested = (value: Value): value is Nested =>
  value.kind === "aggregate" || value.kind === "expression" || value.kind === "alias" || value.kind === "ifunc";

function partsOf(value: Nested): readonly Constant[] {
  if (value.kind === "aggregate") return value.elements;
  return value.kind === "expression" ? value.operands : [value.aliasee];
}
