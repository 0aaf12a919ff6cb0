// The order in which variables are declared: PTX requires a declaration before a name is used in an initial value, so referents
// come first. In a cycle at least one variable is declared ahead with `.extern`, which ptxas accepts for `.visible` variables
// only.

import { bitsOf, foldConstant } from "./fold.js";
import type { Function, GlobalVariable } from "../ir/global.js";
import type { DataLayout } from "../ir/layout.js";
import type { Constant } from "../ir/value.js";

export interface VariableOrder {
  readonly variables: readonly GlobalVariable[];
  /** Variables that are referred to before their declaration. */
  readonly ahead: ReadonlySet<GlobalVariable>;
  /** Functions whose addresses are in initial values. */
  readonly functions: ReadonlySet<Function>;
}

export function orderVariables(variables: readonly GlobalVariable[], layout: DataLayout): VariableOrder {
  const ordered: GlobalVariable[] = [];
  const ahead = new Set<GlobalVariable>();
  const functions = new Set<Function>();
  const known = new Set(variables);
  const entered = new Set<GlobalVariable>();
  const done = new Set<GlobalVariable>();
  const referentsOf = (variable: GlobalVariable): readonly GlobalVariable[] => {
    const found = new Set<GlobalVariable>();
    if (variable.initializer !== undefined) collect(variable.initializer, layout, found, functions);
    return [...found].filter((each) => known.has(each));
  };
  // Chains of variables may be as long as the module: no recursion.
  for (const root of variables) {
    const stack: { readonly variable: GlobalVariable; readonly referents: readonly GlobalVariable[]; next: number }[] =
      [];
    const enter = (variable: GlobalVariable): void => {
      if (entered.has(variable)) {
        if (!done.has(variable)) ahead.add(variable);
        return;
      }
      entered.add(variable);
      stack.push({ variable, referents: referentsOf(variable), next: 0 });
    };
    enter(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const referent = top.referents[top.next++];
      if (referent !== undefined) {
        enter(referent);
        continue;
      }
      stack.pop();
      done.add(top.variable);
      ordered.push(top.variable);
    }
  }
  return { variables: ordered, ahead, functions };
}

/** The globals whose addresses a constant contains. */
function collect(
  constant: Constant,
  layout: DataLayout,
  variables: Set<GlobalVariable>,
  functions: Set<Function>,
): void {
  const pending: Constant[] = [constant];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "aggregate") {
      for (const element of next.elements) pending.push(element);
      continue;
    }
    if (next.kind === "integer" || next.kind === "float" || next.kind === "bytes") continue;
    const folded = bitsOf(next.type, layout) === undefined ? undefined : foldConstant(next, layout);
    if (folded?.kind !== "address") continue;
    if (folded.global.kind === "variable") variables.add(folded.global);
    else if (folded.global.kind === "function") functions.add(folded.global);
  }
}
