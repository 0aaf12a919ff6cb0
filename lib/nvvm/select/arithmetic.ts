// Rows of arithmetic: binary instructions, comparisons, select, fneg and freeze, on scalars and on vectors by element.

import {
  flag,
  type BinaryInstruction,
  type CompareInstruction,
  type Instruction,
  type SelectInstruction,
  type UnaryInstruction,
} from "../ir/instruction.js";
import type { FloatName, Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import { floatBinary, floatCompare, fused, negate, type FloatTarget } from "../lower/float.js";
import { binary, choose, compare } from "../lower/integer.js";
import { classOf, scalarBits } from "../lower/parts.js";
import { binaryWords, compareWords, divisionOfWords } from "../lower/wide.js";
import { isLiteral, literal, signedOf, widths, type Scalar } from "./machine.js";
import { onlyUser, type Lowering, type Selection } from "./selection.js";
import { isShort, shortBits } from "./short-pointers.js";
import { partsOf } from "./values.js";

export const elementOf = (type: Type): Type => (type.kind === "vector" ? type.element : type);

/** How f32 arithmetic treats subnormals in this function: by the option, or its attribute. */
export function floatTarget(selection: Selection): FloatTarget {
  const { context, emit, fn } = selection;
  const attribute = fn.attributes.find(({ name }) => name === "denormal-fp-math-f32");
  const flush = context.float.ftz || attribute?.text?.startsWith("preserve-sign") === true;
  return { emit, context, ftz: flush ? ".ftz" : "" };
}

/** Applies a function to each element's parts of the operands. */
export function byElement(
  selection: Selection,
  type: Type,
  operands: readonly Value[],
  work: (elements: readonly (readonly Scalar[])[]) => readonly Scalar[],
): readonly Scalar[] {
  const parts = operands.map((operand) => partsOf(selection, operand));
  if (type.kind !== "vector") return work(parts);
  return Array.from({ length: type.count }, (_, i) =>
    work(
      parts.map((all) => {
        const count = all.length / type.count;
        return all.slice(i * count, (i + 1) * count);
      }),
    ),
  ).flat();
}

const isFloat = (opcode: string): boolean => opcode.startsWith("f");
const isDivision = (opcode: string): boolean => opcode.endsWith("div") || opcode.endsWith("rem");

export const lowerBinary: Lowering<BinaryInstruction> = (selection, instruction) => {
  const { opcode, type, operands } = instruction;
  const element = elementOf(type);
  const { emit, context } = selection;
  if (isFloat(opcode)) {
    const target = floatTarget(selection);
    const name = (element as { readonly name: FloatName }).name;
    const whole = fusedSum(selection, instruction, target, name);
    if (whole !== undefined) return whole;
    return byElement(selection, type, operands, ([a, b]) => [floatBinary(target, opcode, a![0]!, b![0]!, name)]);
  }
  const bits = scalarBits(element, selection.layout)!;
  if (bits <= 64) {
    const joined = type === element ? multiplyAdd(selection, instruction, bits) : undefined;
    if (joined !== undefined) return [joined];
    return byElement(selection, type, operands, ([a, b]) => [binary(emit, opcode, a![0]!, b![0]!, bits)]);
  }
  return byElement(selection, type, operands, ([a, b]) =>
    isDivision(opcode)
      ? divisionOfWords(emit, opcode, a!, b!, bits, context.needHelper)
      : binaryWords(emit, opcode, a!, b!, bits),
  );
};

/** The product whose only use is a sum. */
function productFor(
  selection: Selection,
  value: Value,
  opcode: string,
  user: Instruction,
): BinaryInstruction | undefined {
  if (value.kind !== "instruction" || value.opcode !== opcode) return undefined;
  return onlyUser(selection, value) === user ? (value as BinaryInstruction) : undefined;
}

/** fadd or fsub of a product, where both may be contracted: fma. */
function fusedSum(
  selection: Selection,
  instruction: BinaryInstruction,
  target: FloatTarget,
  name: FloatName,
): readonly Scalar[] | undefined {
  const { opcode, operands, type } = instruction;
  if (opcode !== "fadd" && opcode !== "fsub") return undefined;
  const always = selection.context.float.fma;
  const may = (one: Instruction): boolean => always || (one.flags & flag.contract) !== 0;
  if (!may(instruction)) return undefined;
  for (const [index, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const product = productFor(selection, operands[index]!, "fmul", instruction);
    if (product === undefined || !may(product)) continue;
    return byElement(selection, type, [...product.operands, operands[other]!], ([a, b, c]) => {
      const minus = opcode === "fsub";
      const factor = minus && index === 1 ? negate(target.emit, a![0]!, name) : a![0]!;
      const addend = minus && index === 0 ? negate(target.emit, c![0]!, name) : c![0]!;
      return [fused(target, factor, b![0]!, addend, name)];
    });
  }
  return undefined;
}

/** A product and the sum that is its only use as one `mad`; a product of extended halves as `mul.wide`. */
function multiplyAdd(selection: Selection, instruction: BinaryInstruction, bits: number): Scalar | undefined {
  const { emit } = selection;
  const { opcode, operands } = instruction;
  if (opcode === "mul" || opcode === "shl") return wideProduct(selection, instruction, bits);
  if (opcode !== "add" || bits === 1) return undefined;
  const kind = classOf(bits);
  for (const [index, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const product = productFor(selection, operands[index]!, "mul", instruction);
    if (product === undefined) continue;
    const addend = partsOf(selection, operands[other]!)[0]!;
    const factors = wideFactors(selection, product, bits);
    if (factors !== undefined) {
      const { letter, a, b } = factors;
      return emit.pure(`mad.wide.${letter}${widths[a.class]}`, kind, a, b, addend);
    }
    const [a, b] = product.operands.map((one) => partsOf(selection, one)[0]!);
    if (a!.kind === "literal") return emit.pure(`mad.lo.s${widths[kind]}`, kind, b!, a!, addend);
    return emit.pure(`mad.lo.s${widths[kind]}`, kind, a!, b!, addend);
  }
  return undefined;
}

interface WideFactors {
  readonly letter: "s" | "u";
  readonly a: Scalar;
  readonly b: Scalar;
}

/** Factors of half the width, both extended the same way, or one and a constant that fits. */
function wideFactors(selection: Selection, product: BinaryInstruction, bits: number): WideFactors | undefined {
  if (bits !== 64 && bits !== 32) return undefined;
  const half = bits / 2;
  const [first, second] = product.operands;
  const opened = extendedHalf(selection, first!, half);
  if (opened === undefined) return undefined;
  const { letter, value } = opened;
  const other = extendedHalf(selection, second!, half);
  if (other !== undefined && product.opcode === "mul") {
    return other.letter === letter ? { letter, a: value, b: other.value } : undefined;
  }
  if (second!.kind !== "integer") return undefined;
  const number = signedOf(literal(classOf(bits), second!.value));
  const factor = product.opcode === "shl" ? 1n << number : number;
  if (product.opcode === "shl" && number >= BigInt(half - 1)) return undefined;
  const limit = 1n << BigInt(half - 1);
  const fits = letter === "s" ? factor >= -limit && factor < limit : factor >= 0n && factor < 2n * limit;
  return fits ? { letter, a: value, b: literal(classOf(half), factor) } : undefined;
}

function extendedHalf(
  selection: Selection,
  value: Value,
  half: number,
): { readonly letter: "s" | "u"; readonly value: Scalar } | undefined {
  if (value.kind !== "instruction" || (value.opcode !== "sext" && value.opcode !== "zext")) return undefined;
  const source = value.operands[0]!;
  if (source.type.kind !== "integer" || source.type.bits !== half) return undefined;
  return { letter: value.opcode === "sext" ? "s" : "u", value: partsOf(selection, source)[0]! };
}

function wideProduct(selection: Selection, instruction: BinaryInstruction, bits: number): Scalar | undefined {
  const factors = wideFactors(selection, instruction, bits);
  if (factors === undefined || isLiteral(factors.b, 1n)) return undefined;
  const { letter, a, b } = factors;
  const kind = classOf(bits);
  const result = selection.emit.pure(`mul.wide.${letter}${widths[a.class]}`, kind, a, b);
  return result;
}

export const lowerCompare: Lowering<CompareInstruction> = (selection, { opcode, predicate, operands }) => {
  const { emit } = selection;
  const type = operands[0]!.type;
  const element = elementOf(type);
  if (opcode === "fcmp") {
    const target = floatTarget(selection);
    const name = (element as { readonly name: FloatName }).name;
    return byElement(selection, type, operands, ([a, b]) => [floatCompare(target, predicate, a![0]!, b![0]!, name)]);
  }
  if (isShort(selection, element)) {
    return byElement(selection, type, operands, (parts) => {
      const [a, b] = parts.map(([one]) => shortBits(selection, one!));
      return [compare(emit, predicate, a!, b!, 32)];
    });
  }
  const bits = scalarBits(element, selection.layout)!;
  return byElement(selection, type, operands, ([a, b]) => [
    bits <= 64 ? compare(emit, predicate, a![0]!, b![0]!, bits) : compareWords(emit, predicate, a!, b!, bits),
  ]);
};

export const lowerSelect: Lowering<SelectInstruction> = (selection, { type, operands }) => {
  const [condition, yes, no] = operands;
  if (condition!.type.kind === "vector") {
    return byElement(selection, type, operands, ([test, a, b]) =>
      a!.map((one, i) => choose(selection.emit, test![0]!, one, b![i]!)),
    );
  }
  const test = partsOf(selection, condition!)[0]!;
  const otherwise = partsOf(selection, no!);
  return partsOf(selection, yes!).map((one, i) => choose(selection.emit, test, one, otherwise[i]!));
};

export const lowerUnary: Lowering<UnaryInstruction> = (selection, { opcode, type, operands }) => {
  if (opcode === "freeze") return partsOf(selection, operands[0]!);
  const name = (elementOf(type) as { readonly name: FloatName }).name;
  return byElement(selection, type, operands, ([value]) => [negate(selection.emit, value![0]!, name)]);
};
