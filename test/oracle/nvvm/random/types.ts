// The types of random modules, and constants and operands of them.

import { hidden, type Level, type Random, type Writer } from "./writer.js";

export const integerTypes = [
  ...["i1", "i3", "i8", "i8", "i13", "i16", "i16", "i24", "i32", "i32", "i33", "i48", "i64", "i64", "i128"],
  ...["i5", "i31", "i63", "i65", "i96"],
];
/** bfloat is in LLVM 14's grammar, but not in its PTX. */
export const floatTypesOf = (level: Level): readonly string[] =>
  level === 2 ? ["float", "double", "half", "bfloat"] : ["float", "double", "half"];
export const vectorTypes = [
  ...["<2 x i32>", "<4 x i8>", "<4 x float>", "<3 x i16>", "<2 x double>", "<4 x i1>"],
  ...["<2 x half>", "<3 x i8>", "<8 x i16>", "<2 x i64>", "<3 x i13>", "<4 x half>", "<5 x i32>", "<2 x i1>"],
];
export const structType = "{ i8, i64, float, i1 }";
export const aggregateTypes = [
  structType,
  "{ i8, [3 x i16], { i1, i64 }, <2 x float> }",
  "[3 x double]",
  "{ half, i32, [2 x i128] }",
  "<{ i8, i32, i16 }>",
];

export const isFloat = (type: string): boolean => /^(half|bfloat|float|double)$/.test(type);
export const isInteger = (type: string): boolean => /^i\d+$/.test(type);
export const isVector = (type: string): boolean => /^<\d/.test(type);
export const isAggregate = (type: string): boolean => /^(\{|\[|<\{)/.test(type);
/** Of an integer or float. */
export const bitsOf = (type: string): number =>
  isInteger(type) ? Number(type.slice(1)) : type === "double" ? 64 : type === "float" ? 32 : 16;
export const elementOf = (vector: string): string => /x (\w+)>/.exec(vector)![1]!;
export const countOf = (vector: string): number => Number(/<(\d+)/.exec(vector)![1]);
export const vectorOf = (count: number, element: string): string => `<${count} x ${element}>`;
/** As the names of intrinsics have it: v4i8, f16. */
export function suffixOf(type: string): string {
  if (isVector(type)) return `v${countOf(type)}${suffixOf(elementOf(type))}`;
  return isFloat(type) ? (type === "bfloat" ? "bf16" : `f${bitsOf(type)}`) : type;
}

/** The types of an aggregate's elements. */
export function elementsOf(type: string): readonly string[] {
  const array = /^\[(\d+) x (.*)\]$/.exec(type);
  if (array !== null) return Array<string>(Number(array[1])).fill(array[2]!);
  const inner = type.replace(/^<?\{ | \}>?$/g, "");
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= inner.length; i++) {
    const letter = inner[i] ?? ",";
    if ("{[<".includes(letter)) depth++;
    else if ("}]>".includes(letter)) depth--;
    else if (letter === "," && depth === 0) {
      parts.push(inner.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts;
}

const floatConstants = ["0.0", "1.0", "-2.5", "0.125", "-0.0", "1024.0"];

export function constantOf(random: Random, type: string): string {
  if (type === "i1") return random.pick(["true", "false"]);
  if (isFloat(type)) return random.pick(floatConstants);
  if (isVector(type)) {
    const element = elementOf(type);
    return `<${Array.from({ length: countOf(type) }, () => `${element} ${constantOf(random, element)}`).join(", ")}>`;
  }
  if (isAggregate(type)) {
    const [open, close] = type.startsWith("[") ? ["[", "]"] : type.startsWith("<") ? ["<{", "}>"] : ["{", "}"];
    return `${open} ${elementsOf(type)
      .map((each) => `${each} ${constantOf(random, each)}`)
      .join(", ")} ${close}`;
  }
  const bits = BigInt(bitsOf(type));
  const wide = bits > 64n ? (random.bits() << 64n) | random.bits() : random.bits();
  const edge = random.pick([0n, 1n, -1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n, 5n, wide]);
  return `${BigInt.asIntN(Number(bits), edge)}`;
}

/** An operand: a value in scope, a constant, or one that is made of parts. */
export function pick(w: Writer, type: string): string {
  const known = w.scope.filter((one) => one.type === type);
  if (known.length > 0 && w.random.below(6) !== 0) return w.random.pick(known).name;
  const whole = isVector(type) || isAggregate(type);
  return whole && w.random.below(4) !== 0 ? make(w, type) : constantOf(w.random, type);
}

/** A value of a vector or aggregate type. */
function make(w: Writer, type: string): string {
  let last = "zeroinitializer";
  if (isVector(type)) {
    const element = elementOf(type);
    for (let i = 0; i < countOf(type); i++)
      last = hidden(w, `insertelement ${type} ${last}, ${element} ${pick(w, element)}, i32 ${i}`);
  } else {
    for (const [i, element] of elementsOf(type).entries())
      last = hidden(w, `insertvalue ${type} ${last}, ${element} ${pick(w, element)}, ${i}`);
  }
  w.scope.push({ type, name: last });
  return last;
}

/** The integers and floats that a value has, each with its type. */
export function leavesOf(w: Writer, type: string, name: string): readonly (readonly [type: string, name: string])[] {
  if (isVector(type)) {
    const element = elementOf(type);
    return Array.from({ length: countOf(type) }, (_, i) => [
      element,
      hidden(w, `extractelement ${type} ${name}, i32 ${i}`),
    ]);
  }
  if (!isAggregate(type)) return [[type, name]];
  return elementsOf(type).flatMap((element, i) =>
    leavesOf(w, element, hidden(w, `extractvalue ${type} ${name}, ${i}`)),
  );
}

/** A float without the ways in which processors differ: NaN is 0, and so is -0. */
export function plainFloat(w: Writer, type: string): string {
  const value = pick(w, type);
  const isNan = hidden(w, `fcmp uno ${type} ${value}, 0.0`);
  const number = hidden(w, `select i1 ${isNan}, ${type} 0.0, ${type} ${value}`);
  return hidden(w, `fadd ${type} ${number}, 0.0`);
}

/** A number from 0 below a power of two, of type i32. */
export const below = (w: Writer, bound: number): string => hidden(w, `and i32 ${pick(w, "i32")}, ${bound - 1}`);
