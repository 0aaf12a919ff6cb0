// Inline assembly: constraints and the types of operands (NVVM IR 1.0 section 6.1).

import type { Ranged } from "../../ptx/source-text.js";
import type { CallInstruction } from "../ir/instruction.js";
import { typeText, type Type } from "../ir/type.js";
import type { InlineAssembly } from "../ir/value.js";
import type { Reporter } from "./facts.js";
import { operandRange, wordIn } from "./tokens.js";

interface Constraint {
  /** As written. */
  readonly text: string;
  readonly isOutput: boolean;
  /** The letter, or the number of the result to which an operand is tied. */
  readonly kind: string;
}

/** The constraints of operands; clobbers are omitted. */
function parseConstraints(text: string): readonly Constraint[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "" && !part.startsWith("~"))
    .map((part) => ({
      text: part,
      isOutput: /^[=+]/.test(part),
      kind: part.replace(/^[=+]?[&%*!?]*/, "").replace(/^[*]/, ""),
    }));
}

/** Sizes in bits of a letter, and its type in NVVM IR 1.0. */
const letters: Readonly<Record<string, { readonly bits: readonly number[]; readonly first?: string }>> = {
  c: { bits: [8, 16], first: "i8" },
  h: { bits: [16], first: "i16" },
  r: { bits: [32], first: "i32" },
  l: { bits: [64], first: "i64" },
  f: { bits: [32], first: "float" },
  d: { bits: [64], first: "double" },
  b: { bits: [1] },
  q: { bits: [128] },
};

/** Spaces whose addresses fit 32 bits: shared, local, tensor memory, shared memory of a cluster. */
const narrowSpaces: ReadonlySet<number> = new Set([3, 5, 6, 7]);

const isFloating = (letter: string): boolean => letter === "f" || letter === "d";

export function checkAssembly(call: CallInstruction, assembly: InlineAssembly, reporter: Reporter): void {
  const at = wordIn(reporter.module, assembly, assembly.constraints);
  if (assembly.intelDialect) reporter.report("dialect", wordIn(reporter.module, assembly, "inteldialect"));
  const constraints = parseConstraints(assembly.constraints);
  const outputs = constraints.filter(({ isOutput }) => isOutput);
  const inputs = constraints.filter(({ isOutput }) => !isOutput);
  for (const constraint of constraints) if (!checkLetter(constraint, outputs.length, at, reporter)) return;
  const results = resultTypes(call.functionType.result, outputs.length);
  if (results.length !== outputs.length)
    return void reporter.report("constraint-count", at, [outputs.length, "results", results.length]);
  if (call.operands.length !== inputs.length)
    return void reporter.report("constraint-count", at, [inputs.length, "arguments", call.operands.length]);
  outputs.forEach((constraint, i) => checkOperand(constraint, results[i]!, at, reporter));
  inputs.forEach((constraint, i) => {
    const place = operandRange(reporter.module, call, i);
    const tied = /^\d+$/.test(constraint.kind) ? outputs[Number(constraint.kind)] : constraint;
    checkOperand(tied!, call.operands[i]!.type, place, reporter);
  });
}

/** One result is not a structure, several are. */
function resultTypes(result: Type, outputs: number): readonly Type[] {
  if (result.kind === "void") return [];
  return outputs > 1 && result.kind === "struct" ? (result.fields ?? []) : [result];
}

/** Whether the constraint is known, so that types can be checked against it. */
function checkLetter({ kind, text }: Constraint, outputs: number, at: Ranged, reporter: Reporter): boolean {
  if (text.includes("*") || /^m/.test(kind)) return !reporter.report("constraint-indirect", at);
  if (/^\d+$/.test(kind)) return Number(kind) < outputs || !reporter.report("constraint-tied", at, [text]);
  const known = letters[kind];
  // NVVM IR 1.0 allows only results with one operand tied to them.
  if (known?.first === undefined && reporter.report("constraint", at, [text])) return false;
  if (known !== undefined || kind === "n" || kind === "i" || kind === "C") return true;
  return !reporter.report("constraint-later", at, [text]);
}

function checkOperand({ kind, text }: Constraint, type: Type, at: Ranged, reporter: Reporter): void {
  const letter = letters[kind];
  if (letter === undefined) return;
  const { first } = letter;
  const isPointer = type.kind === "pointer";
  if (reporter.holds("constraint")) {
    // A pointer counts as the integer of its size.
    const spelled = isPointer ? `i${reporter.layout.pointerBits}` : typeText(type);
    if (first !== spelled) reporter.report("constraint-type", at, [text, first ?? "", typeText(type)]);
    return;
  }
  const bits = (reporter.layout.storeSize(type) ?? 0) * 8;
  const size = type.kind === "integer" ? type.bits : bits;
  // A register of either size holds a short pointer, and the address of a window of less than 4 GiB: XLA uses "r" for 64-bit
  // pointers to shared memory, and LLVM and libNVVM take the lower half.
  const isWide = isPointer && letter.bits.includes(reporter.layout.pointerBits);
  const isNarrow = isPointer && narrowSpaces.has(type.space) && letter.bits.includes(32);
  const fits =
    isWide ||
    isNarrow ||
    letter.bits.includes(size) ||
    (type.kind === "integer" && size < letter.bits[0]! && !isFloating(kind));
  if (!fits) reporter.report("constraint-type", at, [text, `${letter.bits[0]} bits`, typeText(type)]);
}
