// Reports an instruction whose operands match no row of its opcode: the mismatch of the row that matched most operands, that
// row's syntax, and the declaration of the register in question.

import type { Note } from "../diag/diagnostic.js";
import type { Opcode, OperandShape } from "../isa/opcode.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Instruction as InstructionNode } from "../ptx/tree.js";
import type { OperandMismatch } from "./match-value.js";
import { findBinding } from "./scope.js";
import type { NameContext } from "./symbols.js";

/** Reports why the reading `opcode` does not match. */
export function reportMismatch(
  mismatch: OperandMismatch,
  opcode: Opcode,
  node: InstructionNode,
  names: NameContext,
): void {
  const { code, at, message } = mismatch;
  const remedy = mismatch.remedy ?? (code === "operand-count" ? `write ${formText(opcode)}` : undefined);
  const declared = code === "operand-type" ? declarationNote(at, names) : undefined;
  names.reporter.report(code, at, `${node.opcode.text}: ${message}`, {
    notes: [
      ...(declared === undefined ? [] : [declared]),
      ...(code === "operand-count" && mismatch.remedy === undefined
        ? []
        : [{ message: `the form is: ${formText(opcode)}` }]),
    ],
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/** A note with the declaration of the register at a place; undefined if there is no register. */
function declarationNote(at: Ranged, { scope, registers, reporter }: NameContext): Note | undefined {
  const name = "name" in at ? (at.name as { readonly text: string }).text : undefined;
  const binding = name === undefined ? undefined : findBinding(scope, name, registers);
  if (binding?.kind !== "register") return undefined;
  return { message: `${name!} is declared here`, place: reporter.place(binding.at) };
}

/** The syntax of a reading: "ld.global.v2.f32 {d0, d1}, [a]". Optional operands are in braces. */
function formText({ spelling, operands }: Opcode): string {
  const list = operandsText(operands);
  return list === "" ? spelling : `${spelling} ${list}`;
}

function operandsText(shapes: readonly OperandShape[]): string {
  const written = shapes.filter(({ presence }) => presence !== "absent");
  const first = written.findIndex(({ presence }) => presence === "required");
  return written
    .map((shape, i) => {
      const one = operandText(shape);
      if (shape.presence === "required") return i > first ? `, ${one}` : one;
      // An optional operand before a required one includes the comma: `call {(d), }f`.
      return i < first ? `{${one}, }` : `{${i === 0 ? "" : ", "}${one}}`;
    })
    .join("");
}

function operandText(shape: OperandShape): string {
  const { spec, pair, rest } = shape;
  const negation = spec.negatable && shape.type?.class === "predicate" ? "{!}" : "";
  const value = negation + valueText(shape);
  if (spec.kind === "address") return `[${[value, ...rest.map(operandText)].join(", ")}]`;
  if (spec.kind === "list") return `(${value})`;
  if (pair === undefined) return value;
  return spec.pair?.optional === true ? `${value}{|${valueText(pair)}}` : `${value}|${valueText(pair)}`;
}

const mostShown = 4;

function valueText({ spec, count }: OperandShape): string {
  if (spec.kind === "sink") return "_";
  if (count === undefined || spec.kind === "address") return spec.name;
  if (count === "any") return `{${spec.name}0, ...}`;
  const names = Array.from({ length: Math.min(count, mostShown) }, (_, i) => `${spec.name}${i}`);
  return count <= mostShown ? `{${names.join(", ")}}` : `{${names[0]!}, ..., ${spec.name}${count - 1}}`;
}
