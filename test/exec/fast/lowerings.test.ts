// Compares each instruction that has a lowering with its meaning: 32 lanes of edge-case and random operands, with all
// lanes, with some (after a branch), and with a guard. A sample has one in 12 of each instruction.

import test from "ava";
import { sample } from "../../sample.js";
import { onBothEngines, type Outcome, tellingWords, words } from "./both.js";

type Kind = "b16" | "b32" | "b64" | "f32" | "f64" | "pred";

const bits: Readonly<Record<Kind, number>> = { b16: 16, b32: 32, b64: 64, f32: 32, f64: 64, pred: 32 };

type Case = readonly [text: string, ...kinds: readonly Kind[]];

/** Instructions with the kinds of their registers: d has the first kind, then a, b, c. An operand may be a constant. */
const cases: readonly Case[] = [
  ...["add", "sub", "mul.lo", "mul.hi", "min", "max", "div", "rem"].flatMap((name) =>
    ["s32", "u32"].map((type) => [`${name}.${type} d, a, b`, "b32", "b32", "b32"] as const),
  ),
  ...["add", "sub", "mul.lo", "min", "max", "div", "rem"].flatMap((name) =>
    ["s16", "u16"].map((type) => [`${name}.${type} d, a, b`, "b16", "b16", "b16"] as const),
  ),
  ...["add", "sub", "mul.lo", "min", "max", "div", "rem"].flatMap((name) =>
    ["s64", "u64"].map((type) => [`${name}.${type} d, a, b`, "b64", "b64", "b64"] as const),
  ),
  ...["s32", "u32"].flatMap((type) => [
    [`mul.wide.${type} d, a, b`, "b64", "b32", "b32"] as const,
    [`mad.wide.${type} d, a, b, c`, "b64", "b32", "b32", "b64"] as const,
    [`mad.lo.${type} d, a, b, c`, "b32", "b32", "b32", "b32"] as const,
    [`mad.hi.${type} d, a, b, c`, "b32", "b32", "b32", "b32"] as const,
  ]),
  ["mul.hi.s64 d, a, b", "b64", "b64", "b64"],
  ["mul.hi.u64 d, a, b", "b64", "b64", "b64"],
  ["mul.wide.s16 d, a, b", "b32", "b16", "b16"],
  ["mul.wide.u16 d, a, b", "b32", "b16", "b16"],
  ["mad.lo.s64 d, a, b, c", "b64", "b64", "b64", "b64"],
  ["mad.lo.s16 d, a, b, c", "b16", "b16", "b16", "b16"],
  ["add.s32 d, a, -12345", "b32", "b32"],
  ["add.s64 d, a, -123456789012", "b64", "b64"],
  ...["neg", "abs"].flatMap((name) => [
    [`${name}.s16 d, a`, "b16", "b16"] as const,
    [`${name}.s32 d, a`, "b32", "b32"] as const,
    [`${name}.s64 d, a`, "b64", "b64"] as const,
    [`${name}.f32 d, a`, "f32", "f32"] as const,
    [`${name}.ftz.f32 d, a`, "f32", "f32"] as const,
    [`${name}.f64 d, a`, "f64", "f64"] as const,
  ]),
  ...["popc", "clz"].flatMap((name) => [
    [`${name}.b32 d, a`, "b32", "b32"] as const,
    [`${name}.b64 d, a`, "b32", "b64"] as const,
  ]),
  ...["", ".shiftamt"].flatMap((mode) => [
    ...["s32", "u32"].map((type) => [`bfind${mode}.${type} d, a`, "b32", "b32"] as const),
    ...["s64", "u64"].map((type) => [`bfind${mode}.${type} d, a`, "b32", "b64"] as const),
  ]),
  ["brev.b32 d, a", "b32", "b32"],
  ["brev.b64 d, a", "b64", "b64"],
  ...[
    "0, 0",
    "0, 32",
    "5, 0",
    "3, 9",
    "31, 1",
    "20, 40",
    "32, 4",
    "60, 4",
    "0, 64",
    "8, 48",
    "70, 3",
    "255, 255",
  ].flatMap((field) => [
    ...["s32", "u32"].map((type) => [`bfe.${type} d, a, ${field}`, "b32", "b32"] as const),
    ...["s64", "u64"].map((type) => [`bfe.${type} d, a, ${field}`, "b64", "b64"] as const),
    [`bfi.b32 d, a, b, ${field}`, "b32", "b32", "b32"] as const,
    [`bfi.b64 d, a, b, ${field}`, "b64", "b64", "b64"] as const,
  ]),
  ...["and", "or", "xor"].flatMap((name) =>
    (["b16", "b32", "b64", "pred"] as const).map((kind) => [`${name}.${kind} d, a, b`, kind, kind, kind] as const),
  ),
  ...(["b16", "b32", "b64", "pred"] as const).map((kind) => [`not.${kind} d, a`, kind, kind] as const),
  ...["", ", 0", ", 7", ", 31", ", 40", ", 64"].flatMap((count) => [
    ...["shl.b16", "shr.u16", "shr.s16"].map((name) => shiftCase(name, "b16", count)),
    ...["shl.b32", "shr.u32", "shr.s32"].map((name) => shiftCase(name, "b32", count)),
    ...["shl.b64", "shr.u64", "shr.s64"].map((name) => shiftCase(name, "b64", count)),
  ]),
  ...["l.wrap", "l.clamp", "r.wrap", "r.clamp"].flatMap((mode) =>
    ["c", "0", "9", "31", "32", "45"].map(
      (count) => [`shf.${mode}.b32 d, a, b, ${count}`, "b32", "b32", "b32", "b32"] as const,
    ),
  ),
  ...Array.from({ length: 256 }, (_, table) => [`lop3.b32 d, a, b, c, ${table}`, "b32", "b32", "b32", "b32"] as const),
  ...["eq", "ne", "lt", "le", "gt", "ge"].flatMap((name) => [
    ...["s16", "u16"].map((type) => [`setp.${name}.${type} d, a, b`, "pred", "b16", "b16"] as const),
    ...["s32", "u32"].map((type) => [`setp.${name}.${type} d, a, b`, "pred", "b32", "b32"] as const),
    ...["s64", "u64"].map((type) => [`setp.${name}.${type} d, a, b`, "pred", "b64", "b64"] as const),
  ]),
  ...["lo", "ls", "hi", "hs"].flatMap((name) => [
    [`setp.${name}.u32 d, a, b`, "pred", "b32", "b32"] as const,
    [`setp.${name}.u64 d, a, b`, "pred", "b64", "b64"] as const,
  ]),
  ...["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"].flatMap((name) => [
    [`setp.${name}.f32 d, a, b`, "pred", "f32", "f32"] as const,
    [`setp.${name}.ftz.f32 d, a, b`, "pred", "f32", "f32"] as const,
    [`setp.${name}.f64 d, a, b`, "pred", "f64", "f64"] as const,
  ]),
  ...["and", "or", "xor"].flatMap((name) => [
    [`setp.lt.${name}.s32 d, a, b, c`, "pred", "b32", "b32", "pred"] as const,
    [`setp.lt.${name}.s32 d, a, b, !c`, "pred", "b32", "b32", "pred"] as const,
  ]),
  ...(["b16", "b32", "b64"] as const).map((kind) => [`selp.${kind} d, a, b, c`, kind, kind, kind, "pred"] as const),
  ["mov.b32 d, a", "b32", "b32"],
  ["mov.b64 d, a", "b64", "b64"],
  ["mov.pred d, a", "pred", "pred"],
  ["mov.u32 d, %laneid", "b32"],
  ...["eq", "lt", "le", "gt", "ge"].map((name) => [`mov.u32 d, %lanemask_${name}`, "b32"] as const),
  ["mov.u32 d, %tid.x", "b32"],
  ["mov.u32 d, %nctaid.y", "b32"],
  ["mov.b64 d, {a, b}", "b64", "b32", "b32"],
  ["mov.b32 d, {a, b}", "b32", "b16", "b16"],
  ["mov.b64 {d, _}, a", "b32", "b64"],
  ["mov.b64 {_, d}, a", "b32", "b64"],
  ["mov.b32 {d, _}, a", "b16", "b32"],
  ["mov.b32 {_, d}, a", "b16", "b32"],
  ...["0x3210", "0x7654", "0x0123", "0x5410", "0x6420", "0x1111", "0x9a51", "0xf4e8", "c"].map(
    (selector) => [`prmt.b32 d, a, b, ${selector}`, "b32", "b32", "b32", "b32"] as const,
  ),
  ...["shared", "local", "const"].flatMap((space) => [
    [`cvta.${space}.u64 d, a`, "b64", "b64"] as const,
    [`cvta.to.${space}.u64 d, a`, "b64", "b64"] as const,
  ]),
  ["cvta.global.u64 d, a", "b64", "b64"],
  ["cvta.to.global.u64 d, a", "b64", "b64"],
  ["isspacep.global d, a", "pred", "b64"],
  ...["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"].flatMap((to) =>
    ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"].map(
      (from) => [`cvt.${to}.${from} d, a`, kindOf(to), kindOf(from)] as const,
    ),
  ),
  ...["u8", "s8", "u16", "s16", "u32", "s32"].flatMap((from) => [
    [`cvt.rn.f32.${from} d, a`, "f32", kindOf(from)] as const,
    [`cvt.rn.f64.${from} d, a`, "f64", kindOf(from)] as const,
  ]),
  ...["rni", "rzi", "rmi", "rpi"].flatMap((mode) =>
    ["u32", "s32"].flatMap((to) => [
      [`cvt.${mode}.${to}.f32 d, a`, "b32", "f32"] as const,
      [`cvt.${mode}.ftz.sat.${to}.f32 d, a`, "b32", "f32"] as const,
      [`cvt.${mode}.${to}.f64 d, a`, "b32", "f64"] as const,
    ]),
  ),
  ...["rni", "rzi", "rmi", "rpi"].flatMap((mode) =>
    ["", ".ftz", ".sat", ".ftz.sat"].map((how) => [`cvt.${mode}${how}.f32.f32 d, a`, "f32", "f32"] as const),
  ),
  ...[".ftz", ".sat", ".ftz.sat"].map((how) => [`cvt${how}.f32.f32 d, a`, "f32", "f32"] as const),
  ...["s64", "u64"].flatMap((from) => [
    [`cvt.rn.f32.${from} d, a`, "f32", "b64"] as const,
    [`cvt.rn.f64.${from} d, a`, "f64", "b64"] as const,
  ]),
  ...["s64", "u64"].flatMap((to) =>
    ["rni", "rzi", "rmi", "rpi"].flatMap((mode): readonly Case[] => [
      [`cvt.${mode}.${to}.f32 d, a`, "b64", "f32"],
      [`cvt.${mode}.${to}.f64 d, a`, "b64", "f64"],
    ]),
  ),
  ...["rni", "rzi", "rmi", "rpi"].map((mode): Case => [`cvt.${mode}.f64.f64 d, a`, "f64", "f64"]),
  ["rcp.approx.ftz.f64 d, a", "f64", "f64"],
  ["rsqrt.approx.ftz.f64 d, a", "f64", "f64"],
  ["rsqrt.approx.f64 d, a", "f64", "f64"],
  ...["s32.s32", "s32.u32", "u32.s32", "u32.u32"].flatMap((types): readonly Case[] => [
    [`dp4a.${types} d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`dp2a.lo.${types} d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`dp2a.hi.${types} d, a, b, c`, "b32", "b32", "b32", "b32"],
  ]),
  ...["s32", "u32"].flatMap((type): readonly Case[] => [
    [`mul24.lo.${type} d, a, b`, "b32", "b32", "b32"],
    [`mad24.lo.${type} d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`sad.${type} d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`bfe.${type} d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`bfe.${type} d, a, b, 9`, "b32", "b32", "b32"],
    [`bfe.${type} d, a, 9, b`, "b32", "b32", "b32"],
    [`slct.${type}.s32 d, a, b, c`, "b32", "b32", "b32", "b32"],
    [`slct.${type}.f32 d, a, b, c`, "b32", "b32", "b32", "f32"],
    [`slct.ftz.${type}.f32 d, a, b, c`, "b32", "b32", "b32", "f32"],
    [`set.lt.${type}.s32 d, a, b`, "b32", "b32", "b32"],
    [`set.hi.${type}.u64 d, a, b`, "b32", "b64", "b64"],
    [`set.geu.ftz.${type}.f32 d, a, b`, "b32", "f32", "f32"],
    [`set.gt.and.${type}.f64 d, a, b, !c`, "b32", "f64", "f64", "pred"],
    [`set.ne.f32.${type} d, a, b`, "f32", "b32", "b32"],
    ...["u8", "s8", "u16", "s16", "u32", "s32"].flatMap((to): readonly Case[] => [
      ...(to === type ? [] : [[`cvt.sat.${to}.${type} d, a`, kindOf(to), "b32"] as const]),
    ]),
  ]),
  ...["u8.s16", "s8.u16", "u16.s16", "s16.u16", "u32.s16", "u8.s8"].map((types): Case => [
    `cvt.sat.${types} d, a`,
    kindOf(types.split(".")[0]!),
    "b16",
  ]),
  ...["c, 5", "3, c", "c, c"].map((field): Case => [`bfi.b32 d, a, b, ${field}`, "b32", "b32", "b32", "b32"]),
  ["cnot.b32 d, a", "b32", "b32"],
  ["membar.gl; mov.b32 d, a", "b32", "b32"],
  ["fence.acq_rel.sys; mov.b32 d, a", "b32", "b32"],
  ["copysign.f32 d, a, b", "f32", "f32", "f32"],
  ["cvt.f64.f32 d, a", "f64", "f32"],
  ["cvt.rn.f32.f64 d, a", "f32", "f64"],
  ...["add", "sub", "mul", "div.rn"].flatMap((name) => [
    [`${name}.f32 d, a, b`, "f32", "f32", "f32"] as const,
    [`${name}.ftz.f32 d, a, b`, "f32", "f32", "f32"] as const,
    [`${name}.f64 d, a, b`, "f64", "f64", "f64"] as const,
  ]),
  ["add.sat.f32 d, a, b", "f32", "f32", "f32"],
  ["mul.ftz.sat.f32 d, a, b", "f32", "f32", "f32"],
  ...["", ".ftz", ".sat", ".ftz.sat"].map(
    (mode) => [`fma.rn${mode}.f32 d, a, b, c`, "f32", "f32", "f32", "f32"] as const,
  ),
  ...["rz", "rm", "rp"].flatMap((mode): readonly Case[] => [
    ...["", ".ftz", ".sat", ".ftz.sat"].flatMap((how): readonly Case[] => [
      ...["add", "sub", "mul"].map((name): Case => [`${name}.${mode}${how}.f32 d, a, b`, "f32", "f32", "f32"]),
      [`fma.${mode}${how}.f32 d, a, b, c`, "f32", "f32", "f32", "f32"],
    ]),
    [`add.${mode}.f32 d, a, 0f80000000`, "f32", "f32"],
    [`sub.${mode}.f32 d, a, a`, "f32", "f32"],
    [`cvt.${mode}.f32.f64 d, a`, "f32", "f64"],
    [`cvt.${mode}.f32.s32 d, a`, "f32", "b32"],
    [`cvt.${mode}.f32.u32 d, a`, "f32", "b32"],
  ]),
  ["fma.rn.f64 d, a, b, c", "f64", "f64", "f64", "f64"],
  ["rcp.rn.f32 d, a", "f32", "f32"],
  ["rcp.approx.ftz.f32 d, a", "f32", "f32"],
  ["rcp.rn.f64 d, a", "f64", "f64"],
  ["sqrt.rn.f32 d, a", "f32", "f32"],
  ["sqrt.approx.f32 d, a", "f32", "f32"],
  ["sqrt.rn.f64 d, a", "f64", "f64"],
  ["rsqrt.approx.f32 d, a", "f32", "f32"],
  ["rsqrt.approx.ftz.f32 d, a", "f32", "f32"],
  ...["div.full", "div.full.ftz", "div.approx", "div.approx.ftz"].map(
    (name) => [`${name}.f32 d, a, b`, "f32", "f32", "f32"] as const,
  ),
  ...["ex2", "lg2", "sin", "cos"].flatMap((name) => [
    [`${name}.approx.f32 d, a`, "f32", "f32"] as const,
    [`${name}.approx.ftz.f32 d, a`, "f32", "f32"] as const,
  ]),
  ["tanh.approx.f32 d, a", "f32", "f32"],
  ...(["f16", "bf16", "f16x2", "bf16x2"] as const).flatMap((type) => {
    const kind = type.endsWith("x2") ? ("b32" as const) : ("b16" as const);
    const decorated = (name: string, how: readonly string[], ...operands: readonly Kind[]): readonly Case[] =>
      ["", ...(type.startsWith("f") ? how : how.filter((each) => each === ".relu" || each === ".NaN"))].map(
        (each) =>
          [
            `${name}${each}.${type} ${["d", "a", "b", "c"].slice(0, 1 + operands.length).join(", ")}`,
            kind,
            ...operands,
          ] as const,
      );
    return [
      ...["add", "sub", "mul"].flatMap((name) => decorated(name, [".ftz", ".sat", ".ftz.sat"], kind, kind)),
      ...decorated("fma.rn", [".ftz", ".sat", ".ftz.sat", ".relu", ".ftz.relu"], kind, kind, kind),
      ...["min", "max"].flatMap((name) => decorated(name, [".ftz", ".NaN", ".ftz.NaN"], kind, kind)),
      ...["neg", "abs", "tanh.approx"].flatMap((name) => decorated(name, [], kind)),
      [`ex2.approx${type.startsWith("b") ? ".ftz" : ""}.${type} d, a`, kind, kind] as const,
    ];
  }),
  ...["f16", "bf16"].flatMap((type): readonly Case[] => [
    ...["eq", "ne", "lt", "ge", "equ", "ltu", "num", "nan"].map(
      (name) => [`setp.${name}.${type} d, a, b`, "pred", "b16", "b16"] as const,
    ),
    [`cvt.f32.${type} d, a`, "f32", "b16"],
    [`cvt.rn.${type}.f32 d, a`, "b16", "f32"],
    [`cvt.rn.relu.${type}.f32 d, a`, "b16", "f32"],
    [`cvt.rn.${type}x2.f32 d, a, b`, "b32", "f32", "f32"],
    [`cvt.rn.relu.${type}x2.f32 d, a, b`, "b32", "f32", "f32"],
  ]),
  ...["rni", "rzi", "rmi", "rpi"].flatMap((mode) =>
    ["u32", "s32"].map((to) => [`cvt.${mode}.${to}.f16 d, a`, "b32", "b16"] as const),
  ),
  ["setp.lt.ftz.f16 d, a, b", "pred", "b16", "b16"],
  ["cvt.rn.f16.s32 d, a", "b16", "b32"],
  ["cvt.rn.f16.u32 d, a", "b16", "b32"],
  ...["min", "max"].flatMap((name) => [
    [`${name}.f32 d, a, b`, "f32", "f32", "f32"] as const,
    [`${name}.ftz.f32 d, a, b`, "f32", "f32", "f32"] as const,
    [`${name}.NaN.f32 d, a, b`, "f32", "f32", "f32"] as const,
    [`${name}.f64 d, a, b`, "f64", "f64", "f64"] as const,
  ]),
];

function shiftCase(name: string, kind: Kind, count: string): readonly [string, ...Kind[]] {
  return count === "" ? [`${name} d, a, b`, kind, kind, "b32"] : [`${name} d, a${count}`, kind, kind];
}

function kindOf(type: string): Kind {
  return type.endsWith("64") ? "b64" : type.endsWith("32") ? "b32" : "b16";
}

/** Pairs of edge-case halves: of every class, and near midpoints of two values. */
const tellingHalves: readonly number[] = [
  ...[0x3c003800, 0x7c00fc00, 0x7e017c01, 0x03ff0400, 0x00018000, 0x7bff0001, 0x3c01bc01, 0x14003c00, 0x13ff3bff],
  ...[0x3f803f81, 0x7f807f7f, 0x00807f81, 0x007f0001, 0x40404049, 0x6c009400, 0x68005800, 0x04010801, 0x7fff3555],
];
const allTelling = [...tellingWords, ...tellingHalves, ...tellingHalves.map((word) => word ^ -0x7fff8000)];

const ROUNDS = 6;
/** Three operands of 8 bytes for 32 lanes in each round, followed by the results. */
const OPERAND_BYTES = 256 * ROUNDS;
const RESULTS = 3 * OPERAND_BYTES;
const CASES_OF_A_KERNEL = 24;

/** The instruction for all lanes, for some after a branch, and for some with a guard; each result is stored. */
function textOf([text, ...kinds]: Case, index: number): string {
  const registers = ["d", "a", "b", "c"].slice(0, kinds.length);
  const load = registers.slice(1).map((register, i) => {
    const kind = kinds[i + 1]!;
    const at = `[%p+${OPERAND_BYTES * i}]`;
    return kind === "pred"
      ? `ld.global.u32 %w, ${at}; setp.gt.s32 ${register}, %w, 100;`
      : `ld.global.b${bits[kind]} ${register}, ${at};`;
  });
  const store = (way: number): string => {
    const at = `[%p+${RESULTS + OPERAND_BYTES * (3 * index + way)}]`;
    return kinds[0] === "pred"
      ? `selp.u32 %w, 1, 0, d; st.global.u32 ${at}, %w;`
      : `st.global.b${bits[kinds[0]!]} ${at}, d;`;
  };
  return `{
  ${registers.map((register, i) => `.reg .${kinds[i]!} ${register};`).join(" ")}
  ${load.join(" ")}
  ${text}; ${store(0)}
  @%odd bra skip${index}; ${text}; skip${index}: ${store(1)}
  @%odd ${text}; ${store(2)}
  }`;
}

function kernelOf(name: string, some: readonly Case[]): string {
  return `
.visible .entry ${name}(.param .u64 buffer) {
  .reg .b64 %p; .reg .b32 %w, %t, %n; .reg .pred %more, %odd;
  ld.param.u64 %p, [buffer]; mov.u32 %t, %laneid; mad.wide.u32 %p, %t, 8, %p;
  mov.u32 %n, 0; and.b32 %w, %t, 5; setp.eq.u32 %odd, %w, 5;
again:
  ${some.map(textOf).join("\n  ")}
  add.s64 %p, %p, 256; add.u32 %n, %n, 1; setp.lt.u32 %more, %n, ${ROUNDS}; @%more bra again;
  ret;
}`;
}

function inputOf(): Uint8Array {
  const next = words(20260101);
  const input = new Int32Array((RESULTS + 3 * CASES_OF_A_KERNEL * OPERAND_BYTES) / 4);
  for (let i = 0; i < RESULTS / 4; i++) {
    const random = next();
    input[i] = (random & 3) === 0 ? next() : allTelling[(random >>> 2) % allTelling.length]!;
  }
  return new Uint8Array(input.buffer);
}

test("lowerings agree with meanings", async (t) => {
  const some = sample(cases, 12, { name: ([text]) => text, kind: ([text]) => text.split(/[. ]/)[0]! });
  const groups: (readonly Case[])[] = [];
  for (let i = 0; i < some.length; i += CASES_OF_A_KERNEL) groups.push(some.slice(i, i + CASES_OF_A_KERNEL));
  const names = groups.map((_, i) => `k${i}`);
  const text = groups.map((some, i) => kernelOf(names[i]!, some)).join("");
  const outcomes = await onBothEngines(text, inputOf(), { kernels: names });
  const wrong = outcomes.flatMap(([fast, reference], group) => {
    t.is(fast.result.fault, undefined);
    t.deepEqual(fast.result, reference.result);
    return groups[group]!.flatMap(([each], i) => {
      const part = ({ memory }: Outcome): Uint8Array =>
        memory.subarray(RESULTS + 3 * OPERAND_BYTES * i, RESULTS + 3 * OPERAND_BYTES * (i + 1));
      return Buffer.compare(part(fast), part(reference)) === 0 ? [] : [each];
    });
  });
  t.deepEqual(wrong, []);
});
