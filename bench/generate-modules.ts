// A program of any number of modules for measuring: each module has ten functions and ten variables that others use, a
// kernel, statics of equal names, weak template instances that several modules bring, externs and generic addresses.
// Deterministic; ptxas and nvlink accept it.

const FUNCTIONS = 10;
const VARIABLES = 10;
/** Templates of which every module has two instances. */
const TEMPLATES = 64;

export interface GeneratedModule {
  readonly name: string;
  readonly text: string;
}

export function generateModules(count: number, target = "sm_80"): readonly GeneratedModule[] {
  return Array.from({ length: count }, (_, i) => ({ name: `m${i}.ptx`, text: moduleText(i, count, target) }));
}

function moduleText(module: number, count: number, target: string): string {
  const next = (module + 1) % count;
  const far = (module * 7 + 3) % count;
  const lines = [".version 8.5", `.target ${target}`, ".address_size 64", ""];
  const externs = new Set([next, far].filter((other) => other !== module));
  for (const other of externs) {
    for (let i = 0; i < VARIABLES / 2; i++) lines.push(`.extern .global .align 4 .b8 v${other}_${i}[${4 * (i + 1)}];`);
    for (let i = 0; i < FUNCTIONS / 2; i++) lines.push(`.extern .func (.param .b32 r) f${other}_${i} (.param .b32 a);`);
  }
  for (let i = 0; i < VARIABLES; i++)
    lines.push(`.visible .global .align 4 .u32 v${module}_${i}[${i + 1}]${i % 2 === 0 ? ` = {${module + i}}` : ""};`);
  lines.push(`.global .u32 counter = ${module};`, `.const .u32 limit = ${module + 1};`);
  for (const other of externs) lines.push(`.global .u64 table${other}[2] = {v${other}_1, generic(v${other}_2)+4};`);
  for (let i = 0; i < 2; i++)
    lines.push(functionText(`.weak`, `t${(module * 2 + i) % TEMPLATES}`, ["counter"], undefined, 12));
  for (let i = 0; i < FUNCTIONS; i++) {
    const other = i % 2 === 0 ? next : far;
    const isOwn = other === module || i >= FUNCTIONS / 2;
    const variable = isOwn ? `v${module}_${i}` : `v${other}_${i}`;
    // Calls go to later functions only, so that there is no recursion to warn of.
    const callee = i + 1 < FUNCTIONS / 2 && other > module ? `f${other}_${i + 1}` : undefined;
    lines.push(functionText(".visible", `f${module}_${i}`, [variable, "limit"], callee, 20 + 4 * i));
  }
  lines.push(`.visible .entry k${module}()`, "{", "  .reg .b32 %r<3>;", "  mov.u32 %r1, %tid.x;");
  for (let i = 0; i < FUNCTIONS; i++)
    lines.push(
      "  {",
      "  .param .b32 a; .param .b32 r;",
      "  st.param.b32 [a], %r1;",
      `  call (r), f${module}_${i}, (a);`,
      "  ld.param.b32 %r1, [r];",
      "  }",
    );
  lines.push(`  st.global.u32 [v${module}_0], %r1;`, "  ret;", "}");
  return `${lines.join("\n")}\n`;
}

function functionText(
  linkage: string,
  name: string,
  variables: readonly string[],
  callee: string | undefined,
  length: number,
): string {
  const lines = [
    `${linkage} .func (.param .b32 r) ${name} (.param .b32 a)`,
    "{",
    "  .reg .b32 %r<8>;",
    "  ld.param.u32 %r1, [a];",
  ];
  for (const variable of variables)
    lines.push(`  ld.${variable === "limit" ? "const" : "global"}.u32 %r2, [${variable}];`, "  add.s32 %r1, %r1, %r2;");
  for (let i = 0; i < length; i++)
    lines.push(`  mad.lo.s32 %r${3 + (i % 3)}, %r1, ${i + 3}, %r2;`, `  xor.b32 %r1, %r1, %r${3 + (i % 3)};`);
  if (callee !== undefined)
    lines.push(
      "  {",
      "  .param .b32 x; .param .b32 y;",
      "  st.param.b32 [x], %r1;",
      `  call (y), ${callee}, (x);`,
      "  ld.param.b32 %r1, [y];",
      "  }",
    );
  lines.push("  st.param.b32 [r], %r1;", "  ret;", "}");
  return lines.join("\n");
}
