// Random modules of NVVM IR whose every value is defined: what any right compiler makes of one leaves the same bytes. They are
// spelt as LLVM 7 and 14 both take them (typed pointers). Each kernel loads from `in`, computes, and stores to `out`.

import {
  integerTypes,
  floatTypes,
  isFloat,
  fresh,
  add,
  hidden,
  pick,
  structType,
  intrinsics,
  randomNumbers,
  type Writer,
  type Helper,
  type Random,
  plainSteps,
} from "./random-steps.js";

export interface RandomModule {
  readonly text: string;
  readonly kernels: readonly string[];
  /** Bytes that each thread reads and writes. */
  readonly inBytes: number;
  readonly outBytes: number;
}

const inBytes = 256;
const outBytes = 1024;

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
