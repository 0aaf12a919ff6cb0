// From an instruction to its recipe: reads the rows of classes.table.ts. An invalid row is a defect of ptxkit.

import { assert } from "../../base/assert.js";
import type { Instruction, Operand } from "../../isa/instruction.js";
import { modifier, type Opcode } from "../../isa/opcode.js";
import { dataType } from "../../isa/types.table.js";
import { classRows } from "./classes.table.js";
import { opNames, type OpName } from "../gpus/model.js";

/** How instructions other than plain arithmetic are handled. */
const classWords = [
  "free",
  "copy",
  "load",
  "store",
  "atomic",
  "reduce",
  "prefetch",
  "async",
  "sync",
  "arrive",
  "fence",
  "exit",
  "call",
  "commit",
  "wait",
  "poll",
  "signal",
  "matrix",
  "clusterWait",
] as const;
export type ClassWord = (typeof classWords)[number];

/** One machine instruction of a recipe. */
export interface RecipeOp {
  readonly op: OpName;
  /** Depends on the result of the previous op. */
  readonly chained: boolean;
  /** Beside the chain: waits for the operands after the first, and nothing waits for it. */
  readonly aside: boolean;
}

export type Recipe = { readonly kind: ClassWord } | { readonly kind: "math"; readonly ops: readonly RecipeOp[] };

/** The row that classifies a form, by its id or the longest prefix of it with a row; undefined if there is none. */
export function classRowOf(formId: string): { readonly key: string; readonly lines: readonly string[] } | undefined {
  for (let key = formId; key !== ""; key = key.slice(0, Math.max(0, key.lastIndexOf(".")))) {
    const row = Object.hasOwn(classRows, key) ? classRows[key] : undefined;
    if (row !== undefined) return { key, lines: typeof row === "string" ? [row] : row };
  }
  return undefined;
}

/** The recipe of an instruction on a chip of compute capability `capability` (90 for 9.0). */
export function recipeOf(instruction: Instruction, capability = 90): Recipe {
  const { opcode } = instruction;
  const row = classRowOf(opcode.form.id);
  assert(row !== undefined, `no timing class for isa form ${opcode.form.id}`);
  for (const line of row.lines) {
    const at = line.indexOf("->");
    if (
      at >= 0 &&
      !line
        .slice(0, at)
        .trim()
        .split(/\s+/)
        .every((term) => (term === "ampere" ? capability < 90 : holds(term, instruction)))
    )
      continue;
    return readRecipe(at < 0 ? line : line.slice(at + 2));
  }
  assert(false, `timing class ${row.key} has no line without a condition`);
}

/** Special registers in the constant bank: sizes of the launch. PTX ISA 9.0 chapter 10. */
const constants = /^%(ntid|nctaid|gridid|dynamic_smem_size|total_smem_size|envreg|nclusterid|cluster_nctaid)/;

function holds(term: string, instruction: Instruction): boolean {
  const { opcode, operands } = instruction;
  if (term === "special") return specials(operands).length > 0;
  if (term === "constant") return specials(operands).some((name) => constants.test(name));
  if (term === "immediate") return operands.findLast((operand) => operand !== undefined)?.kind === "immediate";
  const bits = /^(\w+):(\d+)$/.exec(term);
  if (bits !== null) return bitsOf(opcode, bits[1]!) === Number(bits[2]);
  const choice = /^(\w+)=(.+)$/.exec(term);
  if (choice !== null) return choice[2]!.split("|").includes(modifier(opcode, choice[1]!) ?? "");
  const [negated, word] = term.startsWith("!") ? [true, term.slice(1)] : [false, term];
  return opcode.chosen.includes(word) !== negated;
}

/** Bits of the type chosen for a slot; of the only type, for forms with the type in their opcode. */
function bitsOf(opcode: Opcode, slot: string): number | undefined {
  const chosen = modifier(opcode, slot) ?? opcode.chosen.findLast((text) => dataType(text ?? "") !== undefined);
  return dataType(chosen ?? "")?.bits;
}

function specials(operands: Instruction["operands"]): readonly string[] {
  const named = (operand: Operand | undefined): readonly string[] => {
    if (operand?.kind === "special") return [operand.name.startsWith("%") ? operand.name : `%${operand.name}`];
    return operand?.kind === "vector" ? operand.elements.flatMap(named) : [];
  };
  return operands.flatMap(named);
}

// Memo of a pure function over a constant table.
const recipes = new Map<string, Recipe>();

/** Parses "alu*4 xu", "alu+alu", "~alu xu", "load". */
export function readRecipe(text: string): Recipe {
  const trimmed = text.trim();
  const known = recipes.get(trimmed);
  if (known !== undefined) return known;
  const word = classWords.find((w) => w === trimmed);
  const recipe: Recipe =
    word === undefined ? { kind: "math", ops: trimmed.split(/\s+/).flatMap(readStep) } : { kind: word };
  recipes.set(trimmed, recipe);
  return recipe;
}

function readStep(step: string): readonly RecipeOp[] {
  return step.split("+").flatMap((part, i) => {
    const aside = part.startsWith("~");
    const [name, count] = part.slice(aside ? 1 : 0).split("*");
    const op = opNames.find((o) => o === name);
    assert(op !== undefined, `timing recipe '${step}': there is no op '${name}'`);
    return Array.from({ length: Number(count ?? "1") }, (_, n): RecipeOp => ({ op, chained: i === 0 || n > 0, aside }));
  });
}
