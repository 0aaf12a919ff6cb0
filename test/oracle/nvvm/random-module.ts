// Random modules of NVVM IR whose every value is defined: what any right compiler makes of one leaves the same bytes. They are
// spelt as LLVM 7 and 14 both take them (typed pointers). Each kernel loads from `in`, computes, and stores to `out`.

import { randomFrom } from "../random.js";

interface Random {
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
  /** 64 random bits. */
  bits(): bigint;
}

function randomNumbers(seed: number): Random {
  const { below, pick } = randomFrom(seed);
  const half = (): bigint => BigInt(below(2 ** 16)) | (BigInt(below(2 ** 16)) << 16n);
  return { below, pick: (items) => pick(items)!, bits: () => half() | (half() << 32n) };
}

export interface RandomModule {
  readonly text: string;
  readonly kernels: readonly string[];
  /** Bytes that each thread reads and writes. */
  readonly inBytes: number;
  readonly outBytes: number;
}

interface Value {
  readonly type: string;
  readonly name: string;
}

const integerTypes = ["i1", "i3", "i8", "i13", "i16", "i24", "i32", "i33", "i48", "i64", "i128"];
const floatTypes = ["float", "double"];
const vectorTypes = ["<2 x i32>", "<4 x i8>", "<4 x float>", "<3 x i16>", "<2 x double>", "<4 x i1>"];
const inBytes = 256;
const outBytes = 1024;

const bitsOf = (type: string): number => Number(type.slice(1));
const isInteger = (type: string): boolean => /^i\d+$/.test(type);
const isFloat = (type: string): boolean => type === "float" || type === "double";
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

interface Writer {
  readonly lines: string[];
  readonly allocas: string[];
  /** Values that are defined where the next line goes. */
  scope: Value[];
  block: string;
  next: number;
  readonly random: Random;
  readonly helpers: readonly Helper[];
}

interface Helper {
  readonly name: string;
  readonly result: string;
  readonly parameters: readonly string[];
}

const fresh = (w: Writer): string => `%v${w.next++}`;

function add(w: Writer, type: string, text: string): Value {
  const value = { type, name: fresh(w) };
  w.lines.push(`  ${value.name} = ${text}`);
  w.scope.push(value);
  return value;
}

/** A line whose value nothing else picks. */
function hidden(w: Writer, type: string, text: string): Value {
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

function pick(w: Writer, type: string): string {
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
const structType = `{ ${structFields.join(", ")} }`;

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

/** One variable on the stack that is stored in several places: what promotion is for. */
function variableStep(w: Writer, depth: number): void {
  const type = w.random.pick(["i8", "i32", "float", "i64", structType]);
  const name = `%a${w.next++}`;
  w.allocas.push(`  ${name} = alloca ${type}`);
  const store = (): void => void w.lines.push(`  store ${type} ${pick(w, type)}, ${type}* ${name}`);
  store();
  branch(w, depth, store, store);
  add(w, type, `load ${type}, ${type}* ${name}`);
}

const intrinsics: readonly (readonly [name: string, type: string, flag: boolean])[] = [
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

function label(w: Writer, name: string): void {
  w.lines.push(`${name}:`);
  w.block = name;
}

/** Both sides of a condition, joined by phis. */
function branch(w: Writer, depth: number, yes: () => void, no: () => void): void {
  const id = w.next++;
  const condition = pick(w, "i1");
  w.lines.push(`  br i1 ${condition}, label %yes${id}, label %no${id}`);
  const outer = w.scope;
  const types = Array.from({ length: 1 + w.random.below(3) }, () =>
    w.random.pick([...integerTypes, ...floatTypes, structType]),
  );
  const sides = [
    ["yes", yes],
    ["no", no],
  ] as const;
  const ends = sides.map(([side, work]) => {
    label(w, `${side}${id}`);
    w.scope = [...outer];
    steps(w, 1 + w.random.below(4), depth - 1);
    work();
    const values = types.map((type) => pick(w, type));
    w.lines.push(`  br label %end${id}`);
    return { block: w.block, values };
  });
  label(w, `end${id}`);
  w.scope = outer;
  types.forEach((type, i) => {
    add(w, type, `phi ${type} ${ends.map(({ block, values }) => `[ ${values[i]}, %${block} ]`).join(", ")}`);
  });
}

function loop(w: Writer, depth: number): void {
  const id = w.next++;
  const masked = hidden(w, "i32", `and i32 ${pick(w, "i32")}, 7`).name;
  const types = Array.from({ length: 1 + w.random.below(3) }, () => w.random.pick([...integerTypes, ...floatTypes]));
  const starts = types.map((type) => pick(w, type));
  const before = w.block;
  const outer = w.scope;
  w.lines.push(`  br label %loop${id}`);
  label(w, `loop${id}`);
  const names = types.map(() => fresh(w));
  const at = w.lines.length;
  const counter = `%i${id}`;
  w.scope = [...outer, { type: "i32", name: counter }, ...types.map((type, i) => ({ type, name: names[i]! }))];
  const inside = w.scope.slice(outer.length);
  steps(w, 2 + w.random.below(4), depth - 1);
  // Now and then values change places.
  const swap = w.random.below(3) === 0;
  const nexts = types.map((type, i) => {
    const other = types.findIndex((one, j) => one === type && j !== i);
    return swap && other >= 0 ? names[other]! : pick(w, type);
  });
  w.lines.push(`  ${counter}n = add i32 ${counter}, 1`);
  w.lines.push(`  ${counter}c = icmp ult i32 ${counter}n, ${masked}`);
  w.lines.push(`  br i1 ${counter}c, label %loop${id}, label %done${id}`);
  const phis = types.map(
    (type, i) => `  ${names[i]} = phi ${type} [ ${starts[i]}, %${before} ], [ ${nexts[i]}, %${w.block} ]`,
  );
  w.lines.splice(at, 0, `  ${counter} = phi i32 [ 0, %${before} ], [ ${counter}n, %${w.block} ]`, ...phis);
  label(w, `done${id}`);
  w.scope = [...outer, ...inside];
}

function switchStep(w: Writer, depth: number): void {
  const id = w.next++;
  const type = w.random.pick(["i8", "i32", "i64", "i3"]);
  const value = hidden(w, type, `and ${type} ${pick(w, type)}, 3`).name;
  const count = 1 + w.random.below(3);
  const cases = Array.from({ length: count }, (_, i) => `${type} ${i}, label %case${id}_${i}`);
  w.lines.push(`  switch ${type} ${value}, label %case${id}_${count} [ ${cases.join(" ")} ]`);
  const outer = w.scope;
  const result = w.random.pick([...integerTypes, ...floatTypes]);
  const ends = Array.from({ length: count + 1 }, (_, i) => {
    label(w, `case${id}_${i}`);
    w.scope = [...outer];
    steps(w, 1 + w.random.below(2), depth - 1);
    const made = pick(w, result);
    w.lines.push(`  br label %join${id}`);
    return `[ ${made}, %${w.block} ]`;
  });
  label(w, `join${id}`);
  w.scope = outer;
  add(w, result, `phi ${result} ${ends.join(", ")}`);
}

const nothing = (): void => undefined;

const plainSteps = [
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

function steps(w: Writer, count: number, depth: number): void {
  for (let i = 0; i < count; i++) {
    const kind = depth > 0 ? w.random.below(8) : 8;
    if (kind === 0) branch(w, depth, nothing, nothing);
    else if (kind === 1) loop(w, depth);
    else if (kind === 2) switchStep(w, depth);
    else if (kind === 3) variableStep(w, depth);
    else w.random.pick(plainSteps)(w);
  }
}

function writer(random: Random, helpers: readonly Helper[]): Writer {
  return { lines: [], allocas: [], scope: [], block: "entry", next: 0, random, helpers };
}

function helperText(random: Random, helper: Helper, helpers: readonly Helper[]): string {
  const w = writer(random, helpers);
  helper.parameters.forEach((type, i) => w.scope.push({ type, name: `%p${i}` }));
  steps(w, 3 + random.below(5), 1);
  const result = pick(w, helper.result);
  const parameters = helper.parameters.map((type, i) => `${type} %p${i}`).join(", ");
  return [
    `define internal ${helper.result} @${helper.name}(${parameters}) noinline {`,
    "entry:",
    ...w.allocas,
    ...w.lines,
    `  ret ${helper.result} ${result}`,
    "}",
  ].join("\n");
}

const loaded = ["i8", "i16", "i32", "i64", "i64", "i32", "float", "double", "<2 x i32>", "i128"];

function kernelText(random: Random, name: string, helpers: readonly Helper[]): string {
  const w = writer(random, helpers);
  const at = (base: string, offset: number, type: string): string => {
    const bytes = hidden(w, "i8", `getelementptr i8, i8 addrspace(1)* ${base}, i64 ${offset}`).name;
    return hidden(w, type, `bitcast i8 addrspace(1)* ${bytes} to ${type} addrspace(1)*`).name;
  };
  w.lines.push(
    "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    "  %wide = zext i32 %tid to i64",
    `  %fromin = mul i64 %wide, ${inBytes}`,
    `  %fromout = mul i64 %wide, ${outBytes}`,
    "  %source = getelementptr i8, i8 addrspace(1)* %in, i64 %fromin",
    "  %target = getelementptr i8, i8 addrspace(1)* %out, i64 %fromout",
  );
  loaded.forEach((type, i) => {
    const misaligned = random.below(8) === 0;
    const pointer = at("%source", i * 24 + (misaligned ? 1 : 0), type);
    add(w, type, `load ${type}, ${type} addrspace(1)* ${pointer}, align ${misaligned ? 1 : 8}`);
  });
  steps(w, 8 + random.below(10), 2);
  const values = w.scope.slice(-40);
  let offset = 0;
  for (const { type, name: value } of values) {
    if (offset + 32 > outBytes) break;
    let stored = value;
    if (isFloat(type)) {
      const isNan = hidden(w, "i1", `fcmp uno ${type} ${value}, 0.0`).name;
      stored = hidden(w, type, `select i1 ${isNan}, ${type} 0x7FF8000000000000, ${type} ${value}`).name;
    } else if (type.includes("float") || type.includes("double") || type.startsWith("{")) continue;
    w.lines.push(`  store ${type} ${stored}, ${type} addrspace(1)* ${at("%target", offset, type)}, align 16`);
    offset += 16;
  }
  return [
    `define void @${name}(i8 addrspace(1)* %in, i8 addrspace(1)* %out) {`,
    "entry:",
    ...w.allocas,
    ...w.lines,
    "  ret void",
    "}",
  ].join("\n");
}

/** The module of a seed, of so many kernels. */
export function randomModule(seed: number, kernelCount = 4): RandomModule {
  const random = randomNumbers(seed);
  // llc and libNVVM pass no integers of other widths.
  const passed = ["i1", "i8", "i16", "i32", "i64", "i128"];
  const types = [...passed, ...floatTypes, "<4 x float>", "<2 x i32>", structType];
  const helpers: Helper[] = [];
  const texts: string[] = [];
  for (let i = 0; i < 2; i++) {
    const parameters = Array.from({ length: 1 + random.below(5) }, () => random.pick(types));
    const helper = { name: `f${i}`, result: random.pick(types), parameters };
    texts.push(helperText(random, helper, helpers));
    helpers.push(helper);
  }
  const kernels = Array.from({ length: kernelCount }, (_, i) => `k${i}`);
  texts.push(...kernels.map((name) => kernelText(random, name, helpers)));
  const declarations = intrinsics.map(
    ([name, type, flag]) => `declare ${type} @llvm.${name}.${type}(${type}${flag ? ", i1" : ""})`,
  );
  const annotations = kernels.map(
    (name, i) => `!${i + 1} = !{void (i8 addrspace(1)*, i8 addrspace(1)*)* @${name}, !"kernel", i32 1}`,
  );
  const text = [
    'target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"',
    'target triple = "nvptx64-nvidia-cuda"',
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    ...declarations,
    ...texts,
    "!nvvmir.version = !{!0}",
    "!0 = !{i32 2, i32 0}",
    `!nvvm.annotations = !{${kernels.map((_, i) => `!${i + 1}`).join(", ")}}`,
    ...annotations,
    "",
  ].join("\n");
  return { text, kernels, inBytes, outBytes };
}

/** What threads read: random bytes, and numbers at the ends of their types. */
export function randomInput(seed: number, threads: number): Uint8Array {
  const random = randomNumbers(seed ^ 0x5bd1e995);
  const bytes = new Uint8Array(threads * inBytes);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += 8) {
    const edge = [0n, 1n, -1n, 0x7fffffffn, 0x80000000n, 1n << 63n, (1n << 63n) - 1n, 0x3f8000003f800000n];
    view.setBigUint64(at, BigInt.asUintN(64, random.below(3) === 0 ? random.pick(edge) : random.bits()), true);
  }
  // Floats of ordinary sizes.
  for (let thread = 0; thread < threads; thread++) {
    view.setFloat32(thread * inBytes + 6 * 24, random.below(2000) / 8 - 100, true);
    view.setFloat64(thread * inBytes + 7 * 24, random.below(2000000) / 64 - 10000, true);
  }
  return bytes;
}
