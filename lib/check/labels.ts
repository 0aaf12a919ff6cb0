// Labels of one function body: finds the position of each, and checks that each is unique. PTX ISA 9.0 section 4.4. A label is
// visible in its block and in nested ones.

import type { AnyInstruction, BlockStatement, Name } from "../ptx/tree.js";
import { stepsBefore } from "./element.js";
import type { Reporter } from "./reporter.js";
import { declaredAt, declareName, isDeclared, type Scope } from "./scope.js";

type AnyBlock = BlockStatement<AnyInstruction>;

/** By block, then by name: the index of the instruction after the label. */
type BlockLabels = Map<AnyBlock, Map<string, number>>;

/** The results of a first walk over a body: labels may be used before their definition. */
export interface Counted {
  /** Number of instructions. */
  readonly instructions: number;
  /** Labels of the blocks that have some; undefined if there are none. */
  readonly labels: ReadonlyMap<AnyBlock, ReadonlyMap<string, number>> | undefined;
}

export function countBody(body: AnyBlock): Counted {
  const walk: Walk = { instructions: 0, labels: undefined };
  countBlock(body, walk);
  return walk;
}

/** State of the walk. */
interface Walk {
  instructions: number;
  labels: BlockLabels | undefined;
}

function countBlock(block: AnyBlock, walk: Walk): void {
  const { statements } = block;
  for (let i = 0; i < statements.length; i++) {
    const statement = statements[i]!;
    if (statement.kind === "unparsed") walk.instructions += statement.count;
    else if (statement.kind === "instruction") walk.instructions += 1 + stepsBefore(statement);
    else if (statement.kind === "block") countBlock(statement, walk);
    else if (statement.kind === "label") noteLabel(statement.name.text, block, walk);
  }
}

function noteLabel(name: string, block: AnyBlock, walk: Walk): void {
  walk.labels ??= new Map();
  let labels = walk.labels.get(block);
  if (labels === undefined) walk.labels.set(block, (labels = new Map()));
  if (!labels.has(name)) labels.set(name, walk.instructions);
}

/** Declares a block's labels, unless another declaration has the same name. */
export function declareLabels(labels: ReadonlyMap<string, number>, scope: Scope): void {
  for (const [name, target] of labels)
    if (!isDeclared(scope, name)) declareName(scope, name, { kind: "label", target });
}

/** Reports a label that is defined twice, or whose name has another declaration; `above` is the earlier label. */
export function reportLabel(name: Name, above: Name | undefined, scope: Scope, reporter: Reporter): void {
  const earlier = above ?? declaredAt(scope, name.text);
  const notes = earlier && [{ message: "declared here before", place: reporter.place(earlier) }];
  reporter.report("redeclaration", name, `label '${name.text}' is defined twice`, notes === undefined ? {} : { notes });
}
