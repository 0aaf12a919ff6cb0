// Makes a random kernel from a seed: functions, the kernel around its statements, and the initial data. Every register
// of every thread, every slice and every counter is compared, so that each error shows.

import { randomFrom, type Random } from "../../oracle/random.js";
import { beyondVariables } from "./async.js";
import { platforms } from "./beyond.js";
import {
  type Builder,
  bytesOf,
  type Callee,
  chance,
  type Class,
  cTypes,
  pick,
  type Platform,
  ptxTypes,
  randomBits,
  registerCounts,
} from "./builder.js";
import { callOf, classes, some } from "./control.js";
import { BLOB_BYTES, COUNTER_CELLS, SLICE_BYTES, TABLE_BYTES } from "./memory.js";
import type { Row } from "./rows.js";
import { COUNTER_BYTES, INPUT_BYTES, randomShape, THREAD_BYTES, volume } from "./shape.js";
import { SYSTEM } from "./system.js";
import { textureVariables } from "./textures.js";
import {
  body,
  type Body,
  compound,
  type FunctionTree,
  type KernelTree,
  label,
  line,
  type Line,
  type Node,
} from "./tree.js";
import { loadInput, settle } from "./values.js";

const allClasses = ["h", "r", "l", "p"] as const;

const registersOf = (of: Class): readonly string[] => Array.from({ length: registerCounts[of] }, (_, i) => `${of}${i}`);

/** The target for instructions that are translated to C. */
const withC: Platform = { version: "8.8", target: "sm_100a" };

/** `beyond`: with statements that are not translated to C (beyond.ts, async.ts). */
export function randomKernel(seed: number, rows: ReadonlyMap<string, readonly Row[]>, beyond = false): KernelTree {
  const random = randomFrom(seed);
  for (let i = 0; i < 8; i++) random.below(2);
  const shape = randomShape(random);
  const threads = volume(shape.block);
  const platform = beyond ? pick(random, platforms) : withC;
  const common = {
    random,
    beyond: beyond ? platform : undefined,
    rows,
    usedRows: new Map<string, number>(),
    threads,
    blocks: volume(shape.grid),
    counters: { label: 0, extra: 0, exits: 0 },
  };
  const callees: Callee[] = [];
  const builderOf = (): Builder => ({ ...common, callees, extra: new Set() });
  const functions: FunctionTree[] = [];
  for (let i = random.below(5); i > 0; i--) {
    const made = makeFunction(builderOf(), callees.length);
    functions.push(made.tree);
    callees.push(made.callee);
  }
  functions.push(makeKernel(builderOf()));
  return {
    seed,
    ...shape,
    rows: [...common.usedRows.keys()],
    platform,
    ...(beyond ? { textured: true } : {}),
    functions,
    variables: variables(random, threads, beyond ? [...beyondVariables(threads), ...textureVariables] : []),
  };
}

function variables(random: Random, threads: number, more: readonly string[]): Line {
  const table = Array.from({ length: TABLE_BYTES }, () => random.below(256)).join(", ");
  return line(
    [
      `.global .align 16 .b8 in[${INPUT_BYTES + 8}];`,
      `.global .align 16 .b8 counters[${COUNTER_BYTES}];`,
      SYSTEM.declarations,
      `.const .align 16 .b8 table[${TABLE_BYTES}] = { ${table} };`,
      `.shared .align 16 .b8 sliced[${SLICE_BYTES * threads}];`,
      `.shared .align 16 .b8 swapped[${8 * threads}];`,
      `.shared .align 16 .b8 shared_counters[${COUNTER_BYTES}];`,
      `.shared .align 16 .b32 alive[${Math.ceil(threads / 32)}];`,
      ...more,
    ].join("\n"),
    `static u8 __attribute__((aligned(16))) table[${TABLE_BYTES}] = { ${table} };`,
  );
}

// ------------------------------------------------------------------------------------------------------------- functions

/** Declares registers and the bases for memory.ts; the caller sets `slice` and `sslice`. */
function declarations(builder: Builder): Line {
  const extra = [...builder.extra];
  const ptx = [
    ...allClasses.map(
      (of) =>
        `  .reg .${ptxTypes[of]} ${registersOf(of)
          .map((name) => `%${name}`)
          .join(", ")};`,
    ),
    ...(extra.length === 0 ? [] : [`  .reg .b32 ${extra.map((name) => `%${name}`).join(", ")};`]),
    "  .reg .b64 %slice, %sslice, %gslice, %local, %glocal, %in, %table, %gtable, %counters, %scounters, %swap, %wswap, %swaps, %alive;",
    "  .reg .b32 %self, %block, %thread, %jump, %u, %v;",
    `  .local .align 16 .b8 stack[${SLICE_BYTES}]; ${SYSTEM.local}`,
    "  mov.u32 %u, %tid.z; mov.u32 %v, %ntid.y; mov.u32 %self, %tid.y; mad.lo.u32 %self, %u, %v, %self;",
    "  mov.u32 %u, %tid.x; mov.u32 %v, %ntid.x; mad.lo.u32 %self, %self, %v, %u;",
    "  mov.u32 %u, %ctaid.z; mov.u32 %v, %nctaid.y; mov.u32 %block, %ctaid.y; mad.lo.u32 %block, %u, %v, %block;",
    "  mov.u32 %u, %ctaid.x; mov.u32 %v, %nctaid.x; mad.lo.u32 %block, %block, %v, %u;",
    `  mad.lo.u32 %thread, %block, ${builder.threads}, %self;`,
    "  mov.u64 %in, in; mov.u64 %counters, counters; mov.u64 %scounters, shared_counters;",
    "  mov.u64 %table, table; cvta.const.u64 %gtable, %table; mov.u64 %local, stack; cvta.local.u64 %glocal, %local;",
    "  mov.u64 %swaps, swapped; mad.wide.u32 %swap, %self, 8, %swaps; and.b32 %u, %self, 0xffffffe0; mad.wide.u32 %wswap, %u, 8, %swaps;",
    "  mov.u64 %alive, alive; shr.u32 %u, %self, 5; mad.wide.u32 %alive, %u, 4, %alive;",
    ...Array.from({ length: SLICE_BYTES / 16 }, (_, i) => `  st.local.v2.u64 [%local+${16 * i}], {0, 0};`),
  ];
  const c = [
    ...allClasses.map((of) => `  ${cTypes[of]} ${registersOf(of).join(" = 0, ")} = 0;`),
    ...(extra.length === 0 ? [] : [`  u32 ${extra.join(" = 0, ")} = 0;`]),
    `  u8 __attribute__((aligned(16))) local[${SLICE_BYTES}] = { 0 };`,
  ];
  return line(ptx.join("\n"), c.join("\n"));
}

const joined = (lines: readonly Line[]): Line =>
  line(lines.map(({ ptx }) => `  ${ptx}`).join("\n"), lines.map(({ c }) => `  ${c}`).join("\n"));

function makeFunction(builder: Builder, number: number): { readonly tree: FunctionTree; readonly callee: Callee } {
  const { random } = builder;
  const recursive = chance(random, 25);
  const collective = !recursive && chance(random, 30);
  const leaves = !collective && chance(random, 25);
  const parameters: Class[] = recursive
    ? ["r", "l"]
    : pick(random, [["r", "l"], ["r", "l"], ["l"], ["h", "r", "l"], []]);
  const callee: Callee = {
    name: `f${number}`,
    parameters,
    result: pick(random, classes.slice(1)),
    collective,
    recursive,
    leaves,
  };
  const mask = collective ? "mask" : undefined;
  const scope = { depth: 1, mask, whole: false, together: false, mayExit: leaves, callable: number };
  const inside: Node[] = [some(builder, scope, 12)].flatMap(({ nodes }) => nodes);
  if (recursive) inside.push(recursion(builder, callee), ...some(builder, scope, 4).nodes);
  const formals = ["slice", "sslice", ...parameters.map((_, i) => `x${i}`), ...(collective ? ["mask"] : [])];
  const types: readonly Class[] = ["l", "l", ...parameters, ...(collective ? (["r"] as const) : [])];
  const result = callee.result;
  const ptxHead =
    `.func (.param .${ptxTypes[result]} d) ${callee.name}(` +
    `${formals.map((name, i) => `.param .${ptxTypes[types[i]!]} p_${name}`).join(", ")})`;
  const cHead = `static ${cTypes[result]} ${callee.name}(${
    formals
      .slice(2)
      .map((name, i) => `${cTypes[types[i + 2]!]} ${name}`)
      .join(", ") || "void"
  })`;
  const arrivals = [
    line("ld.param.b64 %slice, [p_slice]; ld.param.b64 %sslice, [p_sslice]; cvta.shared.u64 %gslice, %sslice;", ""),
    ...initials(builder),
    ...parameters.map((of, i) => line(`ld.param.${ptxTypes[of]} %${of}0, [p_x${i}];`, `${of}0 = x${i};`)),
    ...(collective ? [line(".reg .b32 %mask; ld.param.b32 %mask, [p_mask];", "")] : []),
  ];
  const open = joined([declarations(builder), ...arrivals]);
  return {
    callee,
    tree: {
      name: callee.name,
      declaration: line(`${ptxHead};`, `${cHead};`),
      open: line(`${ptxHead} {\n${open.ptx}`, `${cHead} {\n${open.c}`),
      body: body(inside),
      close: line(`  st.param.${ptxTypes[result]} [d], %${result}0;\n  ret;\n}`, `  return ${result}0;\n}`),
    },
  };
}

/** Calls itself with the first argument's counter bits decremented, until they are 0. */
function recursion(builder: Builder, callee: Callee): Node {
  builder.extra.add("k_depth");
  const end = `Lrec_${callee.name}`;
  return compound(
    line(
      `ld.param.b32 %k_depth, [p_x0]; and.b32 %k_depth, %k_depth, 3; { .reg .pred %q; setp.eq.u32 %q, %k_depth, 0; @%q bra ${end}; } sub.u32 %r0, %k_depth, 1;`,
      `k_depth = x0 & 3; if (k_depth == 0) goto ${end}; r0 = k_depth - 1;`,
    ),
    callOf(builder, [callee], ["r0", "l1"], `${callee.result}2`, undefined) as Line,
    label(end),
  );
}

/** Sets all registers of a function to constants: they are undefined when it is entered. */
function initials({ random }: Builder): readonly Line[] {
  return allClasses.flatMap((of) =>
    registersOf(of).flatMap((name, i): Line[] => {
      if (of === "p") {
        const value = random.below(2);
        return [line(`setp.ne.u32 %${name}, %thread, ${value};`, `${name} = me->thread != ${value};`)];
      }
      const value = `0x${randomBits(random, 8 * bytesOf[of]).toString(16)}`;
      return [line(`mov.b${8 * bytesOf[of]} %${name}, ${value};`, `${name} = ${value};`), settle(of, i)];
    }),
  );
}

function makeKernel(builder: Builder): FunctionTree {
  const { random, threads } = builder;
  const mayExit = chance(random, 40);
  const whole = threads % 32 === 0 && !mayExit;
  const scope = { depth: 0, mask: "full", whole, together: true, mayExit, callable: Infinity };
  const inside: Body = body(
    Array.from({ length: builder.blocks > 30 ? 2 : 3 + random.below(6) }, () => some(builder, scope, 4)).flatMap(
      ({ nodes }) => nodes,
    ),
  );
  const loads = (["h", "r", "l"] as const).flatMap((of) => registersOf(of).map((_, i) => loadInput(builder, of, i)));
  const open = joined([
    declarations(builder),
    line("ld.param.u64 %slice, [slices]; mad.wide.u32 %slice, %thread, 64, %slice;", ""),
    line("mov.u64 %sslice, sliced; mad.wide.u32 %sslice, %self, 64, %sslice; cvta.shared.u64 %gslice, %sslice;", ""),
    line("ld.param.u64 %out, [out]; mad.wide.u32 %dump, %thread, " + `${THREAD_BYTES}, %out;`, ""),
    line(
      `and.b32 %u, %self, 0xffffffe0; sub.u32 %full, ${threads}, %u; min.u32 %full, %full, 32; bmsk.clamp.b32 %full, 0, %full;`,
      `u32 full = me->full;`,
    ),
    line("st.shared.b32 [%alive], %full;", ""),
    ...loads,
    ...registersOf("p").map((name, i) =>
      line(`setp.lt.s32 %${name}, %r${i}, %r${i + 1};`, `${name} = (s32)r${i} < (s32)r${i + 1};`),
    ),
    ...Array.from({ length: SLICE_BYTES / 8 }, (_, i) =>
      line(`st.shared.b64 [%sslice+${8 * i}], %l${i % 5};`, `*(u64 *)(me->sslice + ${8 * i}) = l${i % 5};`),
    ),
    line("setp.ne.u32 %first, %self, 0; @%first bra begin;", ""),
    ...Array.from({ length: COUNTER_CELLS }, (_, i) => line(`st.shared.b64 [%scounters+${8 * i}], ${i};`, "")),
    line("begin: bar.sync 0;", "barrier(0, 0, 0);"),
  ]);
  const stores = allClasses.flatMap((of) =>
    registersOf(of).map((name, i) => {
      const at =
        8 * (allClasses.slice(0, allClasses.indexOf(of)).reduce((sum, each) => sum + registerCounts[each], 0) + i);
      const value =
        of === "p"
          ? `selp.b32 %u, 1, 0, %${name}; st.global.b32 [%dump+${at}], %u;`
          : `st.global.${ptxTypes[of]} [%dump+${at}], %${name};`;
      return line(value, `*(${of === "p" ? "u32" : cTypes[of]} *)(me->dump + ${at}) = ${name};`);
    }),
  );
  const counters = Array.from({ length: COUNTER_CELLS }, (_, i) =>
    line(`ld.shared.b64 %l0, [%scounters+${8 * i}]; st.global.b64 [%out+${8 * i}], %l0;`, ""),
  );
  const close = joined([
    ...stores,
    line("bar.sync 0; @%first bra end;", ""),
    line(`add.s64 %out, %out, ${builder.blocks * threads * THREAD_BYTES};`, ""),
    line(`mad.wide.u32 %out, %block, ${COUNTER_BYTES}, %out;`, ""),
    ...counters,
    line("end: ret;", ""),
  ]);
  const ptxHead = `.visible .entry k(.param .u64 out, .param .u64 slices, .param .align 16 .b8 blob[${BLOB_BYTES}])`;
  return {
    name: "k",
    declaration: line("", ""),
    open: line(
      `${ptxHead} {\n  .reg .b64 %out, %dump; .reg .b32 %full; .reg .pred %first;\n${open.ptx}`,
      `static void k(void) {\n${open.c}`,
    ),
    body: inside,
    close: line(`${close.ptx}\n}`, `${close.c}\n}`),
  };
}
