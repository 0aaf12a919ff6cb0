// Labels of one function body: where each stands, and that it stands there once. PTX ISA 9.0 section 4.4. A label holds in its
// block and in those within.

import type { AnyInstruction, Block, Name } from "../ptx/tree.js";
import { stepsBefore } from "./element.js";
import type { Reporter } from "./reporter.js";
import { declaredAt, declareName, isDeclared, type Scope } from "./scope.js";

type AnyBlock = Block<AnyInstruction>;

/** By block that has labels, then by name: the instruction that a label stands before. */
export type LabelTargets = ReadonlyMap<AnyBlock, ReadonlyMap<string, number>>;

/** Labels may be used before they stand, so a first walk counts instructions: each block's labels with their targets. */
export function labelTargets(body: AnyBlock): LabelTargets {
  const found = new Map<AnyBlock, Map<string, number>>();
  countInstructions(body, 0, found);
  return found;
}

/** How many there are up to the block's end, given how many stand before it. */
function countInstructions(block: AnyBlock, before: number, found: Map<AnyBlock, Map<string, number>>): number {
  let instructions = before;
  let labels: Map<string, number> | undefined;
  for (const statement of block.statements) {
    if (statement.kind === "brief") instructions++;
    else if (statement.kind === "instruction") instructions += 1 + stepsBefore(statement);
    else if (statement.kind === "block") instructions = countInstructions(statement, instructions, found);
    else if (statement.kind === "label") {
      if (labels === undefined) found.set(block, (labels = new Map()));
      if (!labels.has(statement.name.text)) labels.set(statement.name.text, instructions);
    }
  }
  return instructions;
}

/** Gives a block's labels their meaning, where they stand beside nothing else of their name. */
export function declareLabels(labels: ReadonlyMap<string, number>, scope: Scope): void {
  for (const [name, target] of labels)
    if (!isDeclared(scope, name)) declareName(scope, name, { kind: "label", target });
}

/** Reports a label that stands twice, or beside another declaration of its name; `above`: where it stood before. */
export function reportLabel(name: Name, above: Name | undefined, scope: Scope, reporter: Reporter): void {
  const earlier = above ?? declaredAt(scope, name.text);
  const notes = earlier && [{ message: "declared here before", place: reporter.place(earlier) }];
  reporter.report("redeclaration", name, `label '${name.text}' stands twice`, notes === undefined ? {} : { notes });
}
