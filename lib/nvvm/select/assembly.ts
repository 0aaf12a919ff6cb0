// Inline assembly: its text with operands filled in (LLVM Language Reference, "Inline Assembler Expressions"; NVVM IR 1.0
// section 6.1). Each line keeps its location in the string.

import type { CallInstruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import type { InlineAssembly } from "../ir/value.js";
import { resize } from "../lower/integer.js";
import { scalarBits, type RegisterClass } from "../lower/parts.js";
import { reinterpret } from "./casts.js";
import { signedOf, widths, type Operand, type Register, type Scalar } from "./machine.js";
import type { Selection } from "./selection.js";
import { partsOf } from "./values.js";

const classes: Readonly<Record<string, RegisterClass>> = {
  b: "p",
  c: "b16",
  h: "b16",
  r: "b32",
  l: "b64",
  q: "b128",
  f: "b32",
  d: "b64",
};

interface Constraint {
  readonly output: boolean;
  /** A letter of `classes`, `i`, `n` or `s`; or the number of the output with which it shares a register. */
  readonly code: string;
  readonly clobber: boolean;
}

function parseConstraints(text: string): readonly Constraint[] {
  return text
    .split(",")
    .filter((one) => one !== "")
    .map((one) => ({
      output: one.startsWith("="),
      clobber: one.startsWith("~"),
      code: one.replace(/[=&*%+]/g, "").replace(/^\{(.*)\}$/, "$1"),
    }));
}

/** The text with `$0`, `${0:x}` as placeholders of the machine's template, `$$` as itself. */
function template(text: string, name: (index: number) => string, id: number): string {
  return text.replace(
    /\$(?:\$|\{(\w+)(?::\w+)?\}|(\d+)|[({|)}])/g,
    (all, word: string | undefined, digits: string | undefined) => {
      if (all === "$$") return "$$";
      if (word === "uid" || all === "${:uid}") return String(id);
      const number = word ?? digits;
      return number === undefined || !/^\d+$/.test(number) ? "" : name(Number(number));
    },
  );
}

const fieldsOf = (type: Type): readonly Type[] =>
  type.kind === "void" ? [] : type.kind === "struct" ? (type.fields ?? []) : [type];

/** A value in one register of the constraint's class. */
function toRegister(selection: Selection, parts: readonly Scalar[], type: Type, kind: RegisterClass): Scalar {
  const { emit, layout, context } = selection;
  if (kind === "b128") {
    context.needVersion(83);
    const elements = parts.map((one) => emit.inRegister(one, "b64"));
    return emit.pure("mov.b128", "b128", { kind: "group", elements });
  }
  const whole = parts.length === 1 ? parts[0]! : joined(selection, parts, type, widths[kind]);
  const bits = parts.length === 1 ? (scalarBits(type, layout) ?? widths[whole.class]) : widths[whole.class];
  return resize(emit, whole, Math.min(bits, widths[whole.class]), widths[kind], false);
}

/** A vector in one register. */
function joined(selection: Selection, parts: readonly Scalar[], type: Type, bits: number): Scalar {
  return reinterpret(selection, parts, type, selection.context.module.types.integer(bits))[0]!;
}

/** The value in a register of the constraint's class. */
function fromRegister(selection: Selection, register: Register, type: Type): readonly Scalar[] {
  const { emit, layout, shapeOf, context } = selection;
  if (register.class === "b128") return emit.pureMany("mov.b128 {$0, $1}, $2;", ["b64", "b64"], register);
  const width = widths[register.class];
  if (shapeOf(type).parts.length > 1)
    return reinterpret(selection, [register], context.module.types.integer(width), type);
  return [resize(emit, register, width, scalarBits(type, layout) ?? width, false)];
}

export function lowerAssembly(
  selection: Selection,
  call: CallInstruction,
  assembly: InlineAssembly,
): readonly Scalar[] {
  const { emit } = selection;
  const constraints = parseConstraints(assembly.constraints).filter(({ clobber }) => !clobber);
  const fields = fieldsOf(call.functionType.result);
  const outputs = constraints.filter(({ output }) => output);
  const results = outputs.map(({ code }) => emit.register(classes[code[0]!] ?? "b32"));
  const operands: Operand[] = [];
  const names: string[] = results.map((_, i) => `$${i}`);
  const tied: (readonly [output: number, value: Scalar])[] = [];
  let argument = 0;
  for (const { code, output } of constraints) {
    if (output) continue;
    const value = call.operands[argument++]!;
    const parts = partsOf(selection, value);
    if (/^\d+$/.test(code)) {
      const output_ = Number(code);
      tied.push([output_, toRegister(selection, parts, value.type, results[output_]!.class)]);
      names.push(`$${output_}`);
      continue;
    }
    const kind = classes[code[0]!];
    const [only] = parts;
    if (kind === undefined) {
      names.push(only?.kind === "literal" ? `${signedOf(only)}` : addOperand(operands, results.length, only!));
      continue;
    }
    const register = emit.inRegister(toRegister(selection, parts, value.type, kind), kind);
    names.push(addOperand(operands, results.length, register));
  }
  emitText(selection, call, assembly, { results, operands, names, tied });
  return fields.flatMap((type, i) => fromRegister(selection, results[i]!, type));
}

function addOperand(operands: Operand[], results: number, operand: Operand): string {
  operands.push(operand);
  return `$${results + operands.length - 1}`;
}

interface Filled {
  readonly results: readonly Register[];
  readonly operands: readonly Operand[];
  readonly names: readonly string[];
  /** Inputs that must be in an output's register when the text starts. */
  readonly tied: readonly (readonly [output: number, value: Scalar])[];
}

function emitText(selection: Selection, call: CallInstruction, assembly: InlineAssembly, filled: Filled): void {
  const { emit } = selection;
  const { results, names } = filled;
  const operands = [...filled.operands];
  const text = template(assembly.text, (index) => names[index] ?? "", emit.registers);
  const tied = filled.tied.map(([output, value]): readonly [number, number] => {
    operands.push(emit.inRegister(value, results[output]!.class));
    return [output, operands.length - 1];
  });
  // Registers and labels that the text declares are local to it.
  const scoped = /\.reg\b|\.param\b|^\s*[$%\w]+:\s/m.test(text);
  const lines = [...(scoped ? ["{"] : []), ...text.split("\n"), ...(scoped ? ["}"] : [])];
  if (text.trim() === "" && tied.length === 0) return;
  const places = placesOf(assembly, scoped ? 1 : 0, call.start);
  emit.text(
    lines,
    results,
    operands,
    places,
    assembly.sideEffect || results.length === 0 || assembly.constraints.includes("~{memory}"),
    tied,
  );
}

/** Byte offsets of the text's lines in the module: escapes are three bytes there. */
function placesOf(assembly: InlineAssembly, before: number, otherwise: number): (line: number) => number {
  const { textStart } = assembly;
  if (textStart === undefined) return () => otherwise;
  const starts: number[] = [];
  let at = textStart;
  for (const line of assembly.text.split("\n")) {
    starts.push(at);
    at += 3;
    for (const letter of line) {
      const isEscaped = letter < " " || letter === '"' || letter === "\\";
      at += isEscaped ? 3 : Buffer.byteLength(letter);
    }
  }
  return (line) => starts[line - before] ?? otherwise;
}
