// Generates a program of any number of modules for measurements, like those that compilers make of large programs. Each module
// has ten functions and ten variables that others use, a kernel, a static function and variable whose names every module has, and
// two weak function templates and two weak variables of which other modules have copies. It uses up to twenty symbols of any
// other modules. Five of its initialisers are addresses. Reference measurements of linkers were made with this program.
// The same program can be generated as x86 assembly, for linkers of native objects: the same symbols, sections by symbol and
// references, and code and data of about the same size. Deterministic; ptxas and nvlink accept the PTX without a warning.

const FUNCTIONS = 10;
const VARIABLES = 10;
const ADDRESSES = 5;
/** Number of templates, of which every module has copies of two: functions, and as many variables. */
const TEMPLATES = 64;

export interface GeneratedModule {
  readonly name: string;
  readonly text: string;
}

interface FunctionPlan {
  readonly name: string;
  readonly linkage: "visible" | "weak" | "static";
  readonly loads: readonly string[];
  readonly calls: readonly string[];
  /** Number of further instructions. */
  readonly length: number;
}

interface VariablePlan {
  readonly name: string;
  readonly linkage: "visible" | "weak" | "static";
  /** Size in words of 4 bytes. */
  readonly words: number;
  /** The first word's value; 0 for a variable without initialiser. */
  readonly value: number;
}

interface ModulePlan {
  readonly functions: readonly FunctionPlan[];
  readonly variables: readonly VariablePlan[];
  /** A variable that contains addresses of others. */
  readonly table: { readonly name: string; readonly addresses: readonly string[] };
  readonly kernel: { readonly name: string; readonly calls: readonly string[] };
  readonly externFunctions: readonly string[];
  readonly externVariables: ReadonlyMap<string, number>;
}

/** Words of a variable, by its number in its module. */
const wordsOf = (variable: number): number => variable * 3 + 1;

function planModule(module: number, count: number): ModulePlan {
  const random = randomNumbers(module);
  const externFunctions = new Set<string>();
  const externVariables = new Map<string, number>();
  const callee = (least: number): string => {
    // Calls go only to functions with higher numbers, so that there is no recursion to warn of; those come first.
    const [other, number] = [random(count), least + random(FUNCTIONS - least)];
    if (other !== module) externFunctions.add(`f${other}_${number}`);
    return `f${other}_${number}`;
  };
  const variable = (): string => {
    const [other, number] = [random(count), random(VARIABLES - 1)];
    if (other !== module) externVariables.set(`v${other}_${number}`, wordsOf(number));
    return `v${other}_${number}`;
  };
  const functions: FunctionPlan[] = [{ name: "helper", linkage: "static", loads: ["counter"], calls: [], length: 16 }];
  for (let i = 0; i < 2; i++)
    functions.push({ name: `t${(module * 2 + i) % TEMPLATES}`, linkage: "weak", loads: [], calls: [], length: 12 });
  for (let i = FUNCTIONS - 1; i >= 0; i--) {
    const loads = [variable(), `v${module}_${random(VARIABLES - 1)}`];
    const calls = i + 1 < FUNCTIONS ? [callee(i + 1), ...(i === 0 ? [callee(1)] : [])] : ["helper"];
    functions.push({ name: `f${module}_${i}`, linkage: "visible", loads, calls, length: 20 + random(41) });
  }
  const variables: VariablePlan[] = [];
  for (let i = 0; i < VARIABLES - 1; i++)
    variables.push({
      name: `v${module}_${i}`,
      linkage: "visible",
      words: wordsOf(i),
      value: i % 2 === 0 ? module + i + 1 : 0,
    });
  variables.push({ name: "counter", linkage: "static", words: 1, value: module + 1 });
  for (let i = 0; i < 2; i++) {
    const number = (module * 2 + i) % TEMPLATES;
    variables.push({ name: `w${number}`, linkage: "weak", words: 4, value: number + 1 });
  }
  const addresses = Array.from({ length: ADDRESSES }, (_, i) => (i === 0 ? `v${module}_1` : variable()));
  return {
    functions,
    variables,
    table: { name: `v${module}_${VARIABLES - 1}`, addresses },
    kernel: { name: `k${module}`, calls: [0, 1, 2].map((i) => `f${module}_${i}`) },
    externFunctions: [...externFunctions],
    externVariables,
  };
}

/** Returns a generator of numbers below a limit, deterministic for a seed. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

// ------------------------------------------------------------------------------------------------------------------ PTX

/** `device`: with barriers, shared memory and printf; `lines`: with lines as from nvcc -lineinfo. */
export type ProgramKind = "plain" | "device" | "lines";

export const generateModules = (
  count: number,
  target = "sm_80",
  kind: ProgramKind = "plain",
): readonly GeneratedModule[] =>
  Array.from({ length: count }, (_, i) => ({ name: `m${i}.ptx`, text: ptxText(planModule(i, count), target, kind) }));

const ptxLinkage = { visible: ".visible ", weak: ".weak ", static: "" } as const;

const deviceDeclarations = [
  ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);",
  ".extern .shared .align 16 .b8 dynamic[];",
  ".global .align 1 .b8 format[4] = {37, 100, 10, 0};",
] as const;

/** Additions to each function: a barrier, and in the first one shared memory of its own. */
const deviceFunction = (name: string): readonly string[] =>
  name === "helper"
    ? [
        "  .shared .align 4 .b8 scratch[64];",
        "  st.shared.u32 [scratch], %r1;",
        "  bar.sync 1;",
        "  ld.shared.u32 %r1, [scratch+4];",
      ]
    : ["  bar.sync 0;"];

const deviceKernel = [
  "  .shared .align 8 .b8 tile[1024];",
  "  .reg .b64 %f;",
  "  st.shared.u32 [tile], %r1;",
  "  bar.sync 0;",
  "  ld.shared.u32 %r1, [tile+4];",
  "  st.shared.u32 [dynamic], %r1;",
  "  {",
  "  .param .b64 x; .param .b64 y; .param .b32 z;",
  "  mov.u64 %f, format;",
  "  cvta.global.u64 %f, %f;",
  "  st.param.b64 [x], %f;",
  "  st.param.b64 [y], 0;",
  "  call (z), vprintf, (x, y);",
  "  }",
] as const;

function ptxText(plan: ModulePlan, target: string, kind: ProgramKind): string {
  const lines = [".version 8.5", `.target ${target}`, ".address_size 64", ""];
  for (const [name, words] of plan.externVariables) lines.push(`.extern .global .align 4 .u32 ${name}[${words}];`);
  for (const name of plan.externFunctions) lines.push(`.extern .func (.param .b32 r) ${name} (.param .b32 a);`);
  for (const { name, linkage, words, value } of plan.variables)
    lines.push(`${ptxLinkage[linkage]}.global .align 4 .u32 ${name}[${words}]${value === 0 ? "" : ` = {${value}}`};`);
  const { name, addresses } = plan.table;
  const generic = addresses.map((each, i) => (i === 0 ? `generic(${each})` : `generic(${each})+4`));
  lines.push(`.visible .global .align 8 .u64 ${name}[${addresses.length}] = {${generic.join(", ")}};`);
  const isDevice = kind === "device";
  if (isDevice) lines.push(...deviceDeclarations);
  for (const each of plan.functions) lines.push(ptxFunction(each, isDevice ? deviceFunction(each.name) : []));
  lines.push(`.visible .entry ${plan.kernel.name}(.param .u64 out)`, "{");
  lines.push("  .reg .b32 %r<3>;", "  .reg .b64 %rd<3>;", "  mov.u32 %r1, %tid.x;");
  if (isDevice) lines.push(...deviceKernel);
  for (const callee of plan.kernel.calls) lines.push(...ptxCall(callee));
  lines.push("  ld.param.u64 %rd1, [out];", "  cvta.to.global.u64 %rd2, %rd1;", "  st.global.u32 [%rd2], %r1;");
  lines.push("  ret;", "}");
  return `${(kind === "lines" ? withLines(lines, plan.kernel.name) : lines).join("\n")}\n`;
}

/** Adds .loc directives: one instruction in three begins a source line, and one in twelve a line of an inlined function. */
function withLines(lines: readonly string[], name: string): readonly string[] {
  // One element may contain several lines.
  const located = lines
    .join("\n")
    .split("\n")
    .flatMap((line, i) => {
      if (i % 3 !== 0 || !/^  (mad|xor|add)/.test(line)) return [line];
      const own = `  .loc 1 ${i} 9`;
      return i % 12 === 0
        ? [own, `  .loc 1 ${i + 1} 5, function_name $inlined, inlined_at 1 ${i} 9`, line]
        : [own, line];
    });
  const bytes = [...`_Z5${name}i`].map((letter) => letter.charCodeAt(0)).join(",");
  return [...located, `.file 1 "${name}.cu"`, ".section .debug_str", "{", "$inlined:", `.b8 ${bytes},0`, "}"];
}

function ptxFunction({ name, linkage, loads, calls, length }: FunctionPlan, first: readonly string[]): string {
  const lines = [`${ptxLinkage[linkage]}.func (.param .b32 r) ${name} (.param .b32 a)`, "{"];
  lines.push("  .reg .b32 %r<8>;", "  ld.param.u32 %r1, [a];", "  mov.u32 %r2, %r1;", ...first);
  for (const variable of loads) lines.push(`  ld.global.u32 %r2, [${variable}];`, "  add.s32 %r1, %r1, %r2;");
  for (let i = 0; i < length; i++)
    lines.push(
      i % 2 === 0
        ? `  mad.lo.s32 %r${3 + (i % 3)}, %r1, ${i + 3}, %r2;`
        : `  xor.b32 %r1, %r1, %r${3 + ((i - 1) % 3)};`,
    );
  for (const callee of calls) lines.push(...ptxCall(callee));
  lines.push("  st.param.b32 [r], %r1;", "  ret;", "}");
  return lines.join("\n");
}

const ptxCall = (callee: string): readonly string[] => [
  "  {",
  "  .param .b32 x; .param .b32 y;",
  "  st.param.b32 [x], %r1;",
  `  call (y), ${callee}, (x);`,
  "  ld.param.b32 %r1, [y];",
  "  }",
];

// ------------------------------------------------------------------------------------------------------------------ x86

/** The same program in GNU assembler syntax, for a shared library. */
export const generateNative = (count: number): readonly GeneratedModule[] =>
  Array.from({ length: count }, (_, i) => ({ name: `m${i}.s`, text: nativeText(planModule(i, count)) }));

const nativeLinkage = (linkage: FunctionPlan["linkage"], name: string): readonly string[] =>
  linkage === "static" ? [] : [`.${linkage === "weak" ? "weak" : "globl"} ${name}`];

function nativeText(plan: ModulePlan): string {
  const lines: string[] = [];
  for (const each of [...plan.functions, { ...plan.kernel, linkage: "visible", loads: [], length: 4 } as const]) {
    const { name, linkage, loads, calls, length } = each;
    lines.push(`.section .text.${name},"ax",@progbits`, ".p2align 4");
    lines.push(
      ...nativeLinkage(linkage, name),
      `.type ${name},@function`,
      `${name}:`,
      "  pushq %rbx",
      "  movl %edi, %ebx",
    );
    for (const variable of loads)
      lines.push(
        ...(variable === "counter"
          ? ["  addl counter(%rip), %ebx"]
          : [`  movq ${variable}@GOTPCREL(%rip), %rax`, "  addl (%rax), %ebx"]),
      );
    for (let i = 0; i < length; i++) lines.push(i % 2 === 0 ? `  imull $${i + 300}, %ebx, %eax` : "  xorl %eax, %ebx");
    for (const callee of calls) lines.push("  movl %ebx, %edi", `  call ${callee}${callee === "helper" ? "" : "@PLT"}`);
    lines.push("  popq %rbx", "  ret", `.size ${name}, .-${name}`);
  }
  for (const { name, linkage, words, value } of plan.variables) {
    lines.push(...(value === 0 ? [".bss"] : [".data"]), ".p2align 2", ...nativeLinkage(linkage, name));
    lines.push(`.type ${name},@object`, `.size ${name}, ${4 * words}`, `${name}:`);
    lines.push(
      ...(value === 0
        ? [`  .zero ${4 * words}`]
        : [`  .long ${value}`, ...(words === 1 ? [] : [`  .zero ${4 * words - 4}`])]),
    );
  }
  const { name, addresses } = plan.table;
  lines.push(
    ".data",
    ".p2align 3",
    `.globl ${name}`,
    `.type ${name},@object`,
    `.size ${name}, ${8 * addresses.length}`,
  );
  lines.push(`${name}:`, ...addresses.map((each, i) => `  .quad ${each}${i === 0 ? "" : "+4"}`));
  return `${lines.join("\n")}\n.section .note.GNU-stack,"",@progbits\n`;
}
