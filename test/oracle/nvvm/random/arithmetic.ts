// Random steps: arithmetic, comparisons, casts, vectors and aggregates.

import {
  aggregateTypes,
  below,
  bitsOf,
  constantOf,
  countOf,
  elementOf,
  elementsOf,
  floatTypesOf,
  integerTypes,
  isFloat,
  isInteger,
  isVector,
  pick,
  vectorOf,
  vectorTypes,
} from "./types.js";
import { add, hidden, type Writer } from "./writer.js";

const integerOpcodes = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"];
const predicates = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
const floatPredicates = ["oeq", "ogt", "oge", "olt", "ole", "one", "ord"].flatMap((word) => [
  word,
  word === "ord" ? "uno" : word.replace("o", "u"),
]);

/** A divisor above zero, or a shift below the width; of vectors a constant. */
function safe(w: Writer, opcode: string, type: string): string {
  const divides = opcode.endsWith("div") || opcode.endsWith("rem");
  if (isVector(type)) {
    const element = elementOf(type);
    const bits = bitsOf(element);
    const one = (): string =>
      `${element} ${divides ? 1 + w.random.below(2 ** Math.min(bits - 1, 20) - 1) : w.random.below(bits)}`;
    return `<${Array.from({ length: countOf(type) }, one).join(", ")}>`;
  }
  const bits = bitsOf(type);
  const operand = pick(w, type);
  if (divides) return hidden(w, `or ${type} ${hidden(w, `lshr ${type} ${operand}, 1`)}, 1`);
  if (w.random.below(2) === 0) return `${w.random.below(bits)}`;
  return hidden(w, `and ${type} ${operand}, ${2 ** Math.floor(Math.log2(bits)) - 1}`);
}

/** Opcodes that have defined values, and which LLVM 14 has no function of a library for. */
function opcodeFor(w: Writer, type: string): string {
  const opcode = w.random.pick(integerOpcodes);
  const bits = bitsOf(isVector(type) ? elementOf(type) : type);
  const dividing = /div|rem/.test(opcode);
  if (bits === 1 && (dividing || /sh[lr]/.test(opcode))) return "xor";
  if (bits > 64 && dividing && w.parts.level < 2) return "sub";
  return opcode;
}

function integerStep(w: Writer): void {
  const type = w.random.pick(integerTypes);
  const opcode = opcodeFor(w, type);
  const a = pick(w, type);
  const b = /div|rem|sh[lr]/.test(opcode) ? safe(w, opcode, type) : pick(w, type);
  add(w, type, `${opcode} ${type} ${a}, ${b}`);
}

function compareStep(w: Writer): void {
  const type = w.random.pick([...integerTypes, ...floatTypesOf(w.parts.level), ...vectorTypes]);
  const element = isVector(type) ? elementOf(type) : type;
  const result = isVector(type) ? vectorOf(countOf(type), "i1") : "i1";
  const [opcode, words] = isFloat(element) ? ["fcmp", floatPredicates] : ["icmp", predicates];
  add(w, result, `${opcode} ${w.random.pick(words)} ${type} ${pick(w, type)}, ${pick(w, type)}`);
}

/** Values outside of the integer's range, which would be poison, become 0. */
function floatToInteger(w: Writer, from: string, to: string): void {
  const bits = bitsOf(to);
  if (bits < 8 || bits > 64) return;
  const limit = `${2 ** Math.min(bits - 2, bitsOf(from) === 16 ? 14 : 30)}.0`;
  const value = pick(w, from);
  const above = hidden(w, `fcmp ogt ${from} ${value}, 0.0`);
  const inside = hidden(w, `and i1 ${above}, ${hidden(w, `fcmp olt ${from} ${value}, ${limit}`)}`);
  const kept = hidden(w, `select i1 ${inside}, ${from} ${value}, ${from} 0.0`);
  const signed = w.random.below(2) === 0;
  const source = signed ? hidden(w, `fsub ${from} -0.0, ${kept}`) : kept;
  add(w, to, `${signed ? "fptosi" : "fptoui"} ${from} ${source} to ${to}`);
}

function castStep(w: Writer): void {
  const types = [...integerTypes, ...floatTypesOf(w.parts.level)];
  const [from, to] = [w.random.pick(types), w.random.pick(types)];
  if (isInteger(from) && isInteger(to)) {
    if (bitsOf(from) === bitsOf(to)) return;
    const opcode = bitsOf(to) < bitsOf(from) ? "trunc" : w.random.pick(["zext", "sext"]);
    add(w, to, `${opcode} ${from} ${pick(w, from)} to ${to}`);
  } else if (isInteger(from)) {
    // llc 14 at -O0 makes +1 of `sitofp i1 true`.
    const opcode = from === "i1" ? "uitofp" : w.random.pick(["uitofp", "sitofp"]);
    if (bitsOf(from) <= 64) add(w, to, `${opcode} ${from} ${pick(w, from)} to ${to}`);
  } else if (isInteger(to)) floatToInteger(w, from, to);
  else if (bitsOf(from) !== bitsOf(to))
    add(w, to, `${bitsOf(to) < bitsOf(from) ? "fptrunc" : "fpext"} ${from} ${pick(w, from)} to ${to}`);
}

/** Between types of one size. NaN has no one spelling, so that no bits are made of floats. */
const sameSize = [
  ["i32", "<4 x i8>", "<2 x i16>", "float"],
  ["i64", "<2 x i32>", "<4 x i16>", "double", "<8 x i8>"],
  ["i128", "<2 x i64>", "<4 x i32>", "<8 x i16>"],
  ["i16", "half", "<2 x i8>"],
];

function bitcastStep(w: Writer): void {
  const group = w.random.pick(sameSize);
  const [from, to] = [w.random.pick(group), w.random.pick(group)];
  if (from !== to && !isFloat(from)) add(w, to, `bitcast ${from} ${pick(w, from)} to ${to}`);
}

function vectorCastStep(w: Writer): void {
  const count = w.random.pick([2, 3, 4]);
  const widths = ["i1", "i8", "i13", "i16", "i32", "i64"];
  const [from, to] = [w.random.pick(widths), w.random.pick([...widths, "float", "double"])];
  const types = `${vectorOf(count, from)} ${pick(w, vectorOf(count, from))} to ${vectorOf(count, to)}`;
  if (isFloat(to))
    add(w, vectorOf(count, to), `${w.random.pick(from === "i1" ? ["uitofp"] : ["uitofp", "sitofp"])} ${types}`);
  else if (from !== to)
    add(w, vectorOf(count, to), `${bitsOf(to) < bitsOf(from) ? "trunc" : w.random.pick(["zext", "sext"])} ${types}`);
}

function floatStep(w: Writer): void {
  const type = w.random.pick(floatTypesOf(w.parts.level));
  const opcode = w.random.pick(["fadd", "fsub", "fmul", "fdiv"]);
  if (w.parts.level > 0 && w.random.below(6) === 0) add(w, type, `fneg ${type} ${pick(w, type)}`);
  else add(w, type, `${opcode} ${type} ${pick(w, type)}, ${pick(w, type)}`);
}

function selectStep(w: Writer): void {
  const type = w.random.pick([...integerTypes, ...floatTypesOf(w.parts.level), ...vectorTypes, ...aggregateTypes]);
  if (isVector(type) && w.random.below(2) === 0) {
    const flags = vectorOf(countOf(type), "i1");
    add(w, type, `select ${flags} ${pick(w, flags)}, ${type} ${pick(w, type)}, ${type} ${pick(w, type)}`);
  } else add(w, type, `select i1 ${pick(w, "i1")}, ${type} ${pick(w, type)}, ${type} ${pick(w, type)}`);
}

function vectorStep(w: Writer): void {
  const type = w.random.pick(vectorTypes);
  const element = elementOf(type);
  const count = countOf(type);
  const vector = pick(w, type);
  switch (w.random.below(5)) {
    case 0:
      add(w, element, `extractelement ${type} ${vector}, i32 ${w.random.below(count)}`);
      return;
    case 1: {
      if ((count & (count - 1)) !== 0) return;
      const index = below(w, count);
      if (w.random.below(2) === 0) add(w, element, `extractelement ${type} ${vector}, i32 ${index}`);
      else add(w, type, `insertelement ${type} ${vector}, ${element} ${pick(w, element)}, i32 ${index}`);
      return;
    }
    case 2: {
      const width = w.random.pick([count, count, 2, 4]);
      const mask = Array.from({ length: width }, () => `i32 ${w.random.below(2 * count)}`).join(", ");
      const result = vectorOf(width, element);
      add(w, result, `shufflevector ${type} ${vector}, ${type} ${pick(w, type)}, <${width} x i32> <${mask}>`);
      return;
    }
    default: {
      if (isFloat(element)) {
        add(w, type, `${w.random.pick(["fadd", "fmul", "fsub", "fdiv"])} ${type} ${vector}, ${pick(w, type)}`);
        return;
      }
      const opcode = opcodeFor(w, type);
      add(
        w,
        type,
        `${opcode} ${type} ${vector}, ${/div|rem|sh[lr]/.test(opcode) ? safe(w, opcode, type) : pick(w, type)}`,
      );
    }
  }
}

function aggregateStep(w: Writer): void {
  const type = w.random.pick(aggregateTypes);
  const whole = pick(w, type);
  // A path down to an element at any depth.
  const path: number[] = [];
  let at = type;
  do {
    const elements = elementsOf(at);
    path.push(w.random.below(elements.length));
    at = elements[path.at(-1)!]!;
  } while (/^[{[]/.test(at) && w.random.below(3) !== 0);
  if (w.random.below(2) === 0) add(w, at, `extractvalue ${type} ${whole}, ${path.join(", ")}`);
  else add(w, type, `insertvalue ${type} ${whole}, ${at} ${pick(w, at)}, ${path.join(", ")}`);
}

function freezeStep(w: Writer): void {
  if (w.parts.level === 0) return;
  const type = w.random.pick([...integerTypes, ...vectorTypes]);
  add(w, type, `freeze ${type} ${w.random.below(2) === 0 ? pick(w, type) : constantOf(w.random, type)}`);
}

export const arithmeticSteps: readonly ((w: Writer) => void)[] = [
  ...[integerStep, integerStep, integerStep, compareStep, castStep, castStep, floatStep, selectStep],
  ...[vectorStep, vectorStep, aggregateStep, bitcastStep, vectorCastStep, freezeStep],
];
