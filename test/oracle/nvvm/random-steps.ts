// Steps of random modules (random-module.ts): instructions whose values are defined for any operands.

import { randomFrom } from "../random.js";

export interface Random {
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** 64 random bits. */
  bits(): bigint;
}

export function randomNumbers(seed: number): Random {
  const { below, pick } = randomFrom(seed);
  const half = (): bigint => BigInt(below(2 ** 16)) | (BigInt(below(2 ** 16)) << 16n);
  return { below, pick: (items) => pick(items)!, bits: () => half() | (half() << 32n) };
}

interface Value {
  readonly type: string;
  readonly name: string;
}

export const integerTypes = ["i1", "i3", "i8", "i13", "i16", "i24", "i32", "i33", "i48", "i64", "i128"];
export const floatTypes = ["float", "double"];
const vectorTypes = ["<2 x i32>", "<4 x i8>", "<4 x float>", "<3 x i16>", "<2 x double>", "<4 x i1>"];

const bitsOf = (type: string): number => Number(type.slice(1));
const isInteger = (type: string): boolean => /^i\d+$/.test(type);
export const isFloat = (type: string): boolean => type === "float" || type === "double";
const elementOf = (vector: string): string => /x (\w+)>/.exec(vector)![1]!;
const countOf = (vector: string): number => Number(/<(\d+)/.exec(vector)![1]);

const integerOpcodes = ["add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "udiv", "sdiv", "urem", "srem"];
const predicates = ["eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"];
const floatPredicates = [
  "oeq",
  "ogt",
  "oge",
  "olt",
  "ole",
  "one",
  "ord",
  "ueq",
  "ugt",
  "uge",
  "ult",
  "ule",
  "une",
  "uno",
];

export interface Writer {
  readonly lines: string[];
  readonly allocas: string[];
  /** Values that are defined where the next line goes. */
  scope: Value[];
  block: string;
  next: number;
  readonly random: Random;
  readonly helpers: readonly Helper[];
}

export interface Helper {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly string[];
}

export const fresh = (w: Writer): string => `%v${w.next++}`;

export function add(w: Writer, type: string, text: string): Value {
  const value = { type, name: fresh(w) };
  w.lines.push(`  ${value.name} = ${text}`);
  w.scope.push(value);
  return value;
}

/** A line whose value nothing else picks. */
export function hidden(w: Writer, type: string, text: string): Value {
  const value = add(w, type, text);
  w.scope.pop();
  return value;
}

function constantOf(random: Random, type: string): string {
  if (type === "i1") return random.pick(["true", "false"]);
  if (isFloat(type)) return random.pick(["0.0", "1.0", "-2.5", "65536.0", "0.125", "-0.0"]);
  const bits = BigInt(bitsOf(type));
  const edge = random.pick([0n, 1n, -1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n, 5n, random.bits()]);
  return `${BigInt.asIntN(Number(bits), edge)}`;
}

export function pick(w: Writer, type: string): string {
  const known = w.scope.filter((one) => one.type === type);
  if (known.length === 0 || (w.random.below(6) === 0 && !type.startsWith("<") && !type.startsWith("{"))) {
    return type.startsWith("<") || type.startsWith("{") ? make(w, type).name : constantOf(w.random, type);
  }
  return w.random.pick(known).name;
}

/** A value of a vector or structure type where there is none. */
function make(w: Writer, type: string): Value {
  if (type.startsWith("<")) {
    const element = elementOf(type);
    let last = { type, name: "zeroinitializer" };
    for (let i = 0; i < countOf(type); i++) {
      last = hidden(w, type, `insertelement ${type} ${last.name}, ${element} ${pick(w, element)}, i32 ${i}`);
    }
    w.scope.push(last);
    return last;
  }
  let last = { type, name: "zeroinitializer" };
  structFields.forEach((field, i) => {
    last = hidden(w, type, `insertvalue ${type} ${last.name}, ${field} ${pick(w, field)}, ${i}`);
  });
  w.scope.push(last);
  return last;
}

const structFields = ["i8", "i64", "float", "i1"];
export const structType = `{ ${structFields.join(", ")} }`;

/** A divisor that is above zero, or a shift below the width. */
function safe(w: Writer, opcode: string, type: string): string {
  const bits = bitsOf(type);
  const operand = pick(w, type);
  if (opcode.endsWith("div") || opcode.endsWith("rem")) {
    const positive = hidden(w, type, `lshr ${type} ${operand}, 1`).name;
    return hidden(w, type, `or ${type} ${positive}, 1`).name;
  }
  if (w.random.below(2) === 0) return `${w.random.below(bits)}`;
  if ((bits & (bits - 1)) === 0) return hidden(w, type, `and ${type} ${operand}, ${bits - 1}`).name;
  return hidden(w, type, `and ${type} ${operand}, ${(1 << Math.floor(Math.log2(bits))) - 1}`).name;
}

function integerStep(w: Writer): void {
  const type = w.random.pick(integerTypes);
  let opcode = w.random.pick(integerOpcodes);
  // LLVM 14 has no division above 64 bits, and one of i1 has one defined divisor.
  if ((type === "i128" || type === "i1" || type === "i3") && /div|rem|sh[lr]/.test(opcode)) {
    opcode = type === "i128" && /sh[lr]/.test(opcode) ? opcode : "xor";
  }
  const a = pick(w, type);
  const b = /div|rem|sh[lr]/.test(opcode) ? safe(w, opcode, type) : pick(w, type);
  add(w, type, `${opcode} ${type} ${a}, ${b}`);
}

function compareStep(w: Writer): void {
  const type = w.random.pick([...integerTypes, ...floatTypes]);
  if (isFloat(type)) {
    add(w, "i1", `fcmp ${w.random.pick(floatPredicates)} ${type} ${pick(w, type)}, ${pick(w, type)}`);
  } else add(w, "i1", `icmp ${w.random.pick(predicates)} ${type} ${pick(w, type)}, ${pick(w, type)}`);
}

function castStep(w: Writer): void {
  const from = w.random.pick([...integerTypes, ...floatTypes]);
  const to = w.random.pick([...integerTypes, ...floatTypes]);
  if (from === to) return;
  if (isInteger(from) && isInteger(to)) {
    const opcode = bitsOf(to) < bitsOf(from) ? "trunc" : w.random.pick(["zext", "sext"]);
    add(w, to, `${opcode} ${from} ${pick(w, from)} to ${to}`);
  } else if (isInteger(from)) {
    // llc 14 at -O0 makes +1 of `sitofp i1 true`.
    const opcode = from === "i1" ? "uitofp" : w.random.pick(["uitofp", "sitofp"]);
    if (bitsOf(from) <= 64) add(w, to, `${opcode} ${from} ${pick(w, from)} to ${to}`);
  } else if (isInteger(to)) floatToInteger(w, from, to);
  else add(w, to, `${to === "float" ? "fptrunc" : "fpext"} ${from} ${pick(w, from)} to ${to}`);
}

/** Values outside of the integer's range, which would be poison, become 0. */
function floatToInteger(w: Writer, from: string, to: string): void {
  const bits = bitsOf(to);
  if (bits < 8 || bits > 64) return;
  const limit = `${2 ** Math.min(bits - 2, 30)}.0`;
  const value = pick(w, from);
  const above = hidden(w, "i1", `fcmp ogt ${from} ${value}, 0.0`).name;
  const below = hidden(w, "i1", `fcmp olt ${from} ${value}, ${limit}`).name;
  const inside = hidden(w, "i1", `and i1 ${above}, ${below}`).name;
  const kept = hidden(w, from, `select i1 ${inside}, ${from} ${value}, ${from} 0.0`).name;
  const signed = w.random.below(2) === 0;
  const source = signed ? hidden(w, from, `fsub ${from} -0.0, ${kept}`).name : kept;
  add(w, to, `${signed ? "fptosi" : "fptoui"} ${from} ${source} to ${to}`);
}

function floatStep(w: Writer): void {
  const type = w.random.pick(floatTypes);
  const opcode = w.random.pick(["fadd", "fsub", "fmul", "fdiv"]);
  add(w, type, `${opcode} ${type} ${pick(w, type)}, ${pick(w, type)}`);
}

function selectStep(w: Writer): void {
  const type = w.random.pick([...integerTypes, ...floatTypes, ...vectorTypes, structType]);
  const condition = pick(w, "i1");
  add(w, type, `select i1 ${condition}, ${type} ${pick(w, type)}, ${type} ${pick(w, type)}`);
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
      const index = hidden(w, "i32", `and i32 ${pick(w, "i32")}, ${count - 1}`).name;
      if (w.random.below(2) === 0) add(w, element, `extractelement ${type} ${vector}, i32 ${index}`);
      else add(w, type, `insertelement ${type} ${vector}, ${element} ${pick(w, element)}, i32 ${index}`);
      return;
    }
    case 2: {
      const mask = Array.from({ length: count }, () => `i32 ${w.random.below(2 * count)}`).join(", ");
      add(w, type, `shufflevector ${type} ${vector}, ${type} ${pick(w, type)}, <${count} x i32> <${mask}>`);
      return;
    }
    default: {
      const opcode = isFloat(element) ? w.random.pick(["fadd", "fmul"]) : w.random.pick(["add", "mul", "xor", "and"]);
      add(w, type, `${opcode} ${type} ${vector}, ${pick(w, type)}`);
    }
  }
}

function aggregateStep(w: Writer): void {
  const whole = pick(w, structType);
  const i = w.random.below(structFields.length);
  const field = structFields[i]!;
  if (w.random.below(2) === 0) add(w, field, `extractvalue ${structType} ${whole}, ${i}`);
  else add(w, structType, `insertvalue ${structType} ${whole}, ${field} ${pick(w, field)}, ${i}`);
}

const memoryTypes = [
  "i8",
  "i16",
  "i32",
  "i64",
  "float",
  "double",
  "i24",
  "i1",
  "i128",
  "i48",
  "<4 x i8>",
  "<2 x i32>",
  "<4 x float>",
  structType,
];

/** An array of four on the stack, all of it stored first; one is loaded by an index. */
function memoryStep(w: Writer): void {
  const type = w.random.pick(memoryTypes);
  const array = `%a${w.next++}`;
  w.allocas.push(`  ${array} = alloca [4 x ${type}]`);
  const at = (index: string): string =>
    hidden(w, `${type}*`, `getelementptr inbounds [4 x ${type}], [4 x ${type}]* ${array}, i64 0, ${index}`).name;
  for (let i = 0; i < 4; i++) w.lines.push(`  store ${type} ${pick(w, type)}, ${type}* ${at(`i64 ${i}`)}`);
  const index =
    w.random.below(2) === 0
      ? `i64 ${w.random.below(4)}`
      : `i32 ${hidden(w, "i32", `and i32 ${pick(w, "i32")}, 3`).name}`;
  add(w, type, `load ${type}, ${type}* ${at(index)}`);
}

export const intrinsics: readonly (readonly [name: string, type: string, flag: boolean])[] = [
  ["ctpop", "i32", false],
  ["ctpop", "i64", false],
  ["ctpop", "i8", false],
  ["ctlz", "i32", true],
  ["ctlz", "i16", true],
  ["ctlz", "i64", true],
  ["cttz", "i32", true],
  ["cttz", "i8", true],
  ["cttz", "i64", true],
  ["bswap", "i16", false],
  ["bswap", "i32", false],
  ["bswap", "i64", false],
];

function intrinsicStep(w: Writer): void {
  const [name, type, flag] = w.random.pick(intrinsics);
  add(w, type, `call ${type} @llvm.${name}.${type}(${type} ${pick(w, type)}${flag ? ", i1 false" : ""})`);
}

function callStep(w: Writer): void {
  if (w.helpers.length === 0) return;
  const { name, result, parameters } = w.random.pick(w.helpers);
  const list = parameters.map((type) => `${type} ${pick(w, type)}`).join(", ");
  add(w, result, `call ${result} @${name}(${list})`);
}

/** Steps without control flow. */
export const plainSteps = [
  integerStep,
  integerStep,
  integerStep,
  compareStep,
  castStep,
  castStep,
  floatStep,
  selectStep,
  vectorStep,
  vectorStep,
  aggregateStep,
  memoryStep,
  intrinsicStep,
  callStep,
];
