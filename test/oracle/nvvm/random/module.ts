// Random modules of NVVM IR whose every value is defined: what any right compiler makes of one leaves the same bytes. They are
// spelt as LLVM 7, 14 and 20 all take them (typed pointers). Each kernel loads from `in`, computes, and stores to `out`.

import { recursion } from "./calls.js";
import { steps } from "./control.js";
import { aggregateTypes, isFloat, isInteger, leavesOf, pick, structType } from "./types.js";
import {
  add,
  createWriter,
  hidden,
  randomNumbers,
  type Helper,
  type Level,
  type ModuleParts,
  type Writer,
} from "./writer.js";

export interface RandomModule {
  readonly text: string;
  readonly level: Level;
  readonly kernels: readonly string[];
  /** Bytes that each thread reads and writes. */
  readonly inBytes: number;
  readonly outBytes: number;
}

const inBytes = 256;
const outBytes = 1024;
const threadLine = "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()";

function helperText(parts: ModuleParts, helper: Helper): string {
  const w = createWriter(parts);
  helper.parameters.forEach((type, i) => w.scope.push({ type, name: `%p${i}` }));
  if (helper.recursive) recursion(w, helper);
  steps(w, 3 + w.random.below(4), 1);
  const result = pick(w, helper.result);
  const parameters = helper.parameters.map((type, i) => `${type} %p${i}`).join(", ");
  return [
    `define internal ${helper.result} @${helper.name}(${parameters}) ${w.random.pick(["noinline", "noinline", ""])} {`,
    "entry:",
    threadLine,
    ...w.allocas,
    ...w.lines,
    `  ret ${helper.result} ${result}`,
    "}",
  ].join("\n");
}

/** llc and libNVVM pass no integers of other widths. */
const passed = [
  "i1",
  "i8",
  "i16",
  "i32",
  "i64",
  "i128",
  "float",
  "double",
  "half",
  "<4 x float>",
  "<2 x i32>",
  "<4 x i8>",
  structType,
  // llc 14 passes a packed structure's fields misaligned.
  ...aggregateTypes.filter((type) => !type.startsWith("<")),
];

/** Functions that kernels call: some by themselves, some of one type, for calls by address. */
function helperTexts(parts: ModuleParts): readonly string[] {
  const { random } = parts;
  const shape = (): Omit<Helper, "name"> => {
    const recursive = random.below(4) === 0;
    const parameters = Array.from({ length: 1 + random.below(4) }, () => random.pick(passed));
    return { result: random.pick(passed), parameters: recursive ? ["i32", ...parameters] : parameters, recursive };
  };
  const twins = shape();
  return [shape(), twins, twins].map((each, i) => {
    const helper = { ...each, name: `f${i}` };
    const text = helperText(parts, helper);
    parts.helpers.push(helper);
    return text;
  });
}

const loaded = ["i8", "i16", "i32", "i64", "i64", "i32", "float", "double", "<2 x i32>", "i128"];

function storeLeaves(w: Writer, at: (offset: number, type: string) => string): void {
  let offset = 0;
  for (const value of w.scope.slice(-30)) {
    for (const [type, name] of leavesOf(w, value.type, value.name)) {
      if (offset + 16 > outBytes) return;
      let stored = name;
      if (isFloat(type)) {
        const isNan = hidden(w, `fcmp uno ${type} ${name}, 0.0`);
        stored = hidden(w, `select i1 ${isNan}, ${type} 0.0, ${type} ${name}`);
        offset = store(w, "i1", isNan, offset, at);
        if (offset + 16 > outBytes) return;
      }
      offset = store(w, type, stored, offset, at);
    }
  }
}

/** Where the next one goes: a value takes 16 bytes, a small one 4. */
function store(
  w: Writer,
  type: string,
  name: string,
  offset: number,
  at: (offset: number, type: string) => string,
): number {
  const small = (isInteger(type) && Number(type.slice(1)) <= 32) || ["half", "bfloat", "float"].includes(type);
  const from = small ? offset : (offset + 15) & ~15;
  if (from + 16 > outBytes) return outBytes;
  w.lines.push(`  store ${type} ${name}, ${type} addrspace(1)* ${at(from, type)}, align ${small ? 4 : 16}`);
  return from + (small ? 4 : 16);
}

function kernelText(parts: ModuleParts, name: string): string {
  const w = createWriter(parts);
  const at = (base: string, offset: number, type: string): string => {
    const bytes = hidden(w, `getelementptr i8, i8 addrspace(1)* ${base}, i64 ${offset}`);
    return hidden(w, `bitcast i8 addrspace(1)* ${bytes} to ${type} addrspace(1)*`);
  };
  w.lines.push(
    "  %wide = zext i32 %tid to i64",
    `  %fromin = mul i64 %wide, ${inBytes}`,
    `  %fromout = mul i64 %wide, ${outBytes}`,
    "  %source = getelementptr i8, i8 addrspace(1)* %in, i64 %fromin",
    "  %target = getelementptr i8, i8 addrspace(1)* %out, i64 %fromout",
  );
  loaded.forEach((type, i) => {
    const misaligned = w.random.below(8) === 0;
    const pointer = at("%source", i * 24 + (misaligned ? 1 : 0), type);
    add(w, type, `load ${type}, ${type} addrspace(1)* ${pointer}, align ${misaligned ? 1 : 8}`);
  });
  steps(w, 8 + w.random.below(10), 2);
  storeLeaves(w, (offset, type) => at("%target", offset, type));
  return [
    `define void @${name}(i8 addrspace(1)* %in, i8 addrspace(1)* %out) {`,
    "entry:",
    threadLine,
    ...w.allocas,
    ...w.lines,
    "  ret void",
    "}",
  ].join("\n");
}

/** The module of a seed, of so many kernels. Half of them are of words that LLVM 7 has, a third of 14's. */
export function randomModule(seed: number, kernelCount = 4): RandomModule {
  const random = randomNumbers(seed);
  const level = ([0, 0, 0, 1, 1, 2] as const)[seed % 6]!;
  const parts: ModuleParts = { random, level, declarations: new Set(), globals: [], helpers: [] };
  const kernels = Array.from({ length: kernelCount }, (_, i) => `k${i}`);
  const texts = [...helperTexts(parts), ...kernels.map((name) => kernelText(parts, name))];
  const annotations = kernels.map(
    (name, i) => `!${i + 1} = !{void (i8 addrspace(1)*, i8 addrspace(1)*)* @${name}, !"kernel", i32 1}`,
  );
  const text = [
    'target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"',
    'target triple = "nvptx64-nvidia-cuda"',
    "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
    ...parts.globals,
    ...parts.declarations,
    ...texts,
    "!nvvmir.version = !{!0}",
    "!0 = !{i32 2, i32 0}",
    `!nvvm.annotations = !{${kernels.map((_, i) => `!${i + 1}`).join(", ")}}`,
    ...annotations,
    "",
  ].join("\n");
  return { text, level, kernels, inBytes, outBytes };
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
