// Matching instructions from records and checking them as nodes gives the same code and messages. checkSource uses
// records where possible, checkModule nodes. A sample has some modules of each folder, and some mutants of each module.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import test, { type ExecutionContext } from "ava";
import { checkModule, checkSource } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { openModule, parseModule } from "../../lib/ptx/parse.js";
import { sample, topFolder } from "../sample.js";
import { mutants, mutatedModules } from "./mutants.js";
import type { AnyInstruction, BlockStatement } from "../../lib/ptx/tree.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const modules = sample(
  readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx")),
  48,
  { kind: topFolder },
);

function same(t: ExecutionContext, bytes: Uint8Array, label: string): void {
  const source = { name: "m.ptx", bytes };
  const [records, whole] = [createSink(), createSink()];
  const fromText = checkSource(source, records);
  const fromTree = checkModule(parseModule(source, whole), whole);
  t.true(isDeepStrictEqual(records.all, whole.all), label);
  t.true(isDeepStrictEqual(fromText, fromTree), label);
}

test("every module of testdata, right or wrong", (t) => {
  for (const name of modules) same(t, readFileSync(path.join(testdata, name)), name);
});

test("mutants, and beginnings of modules", (t) => {
  for (const { bytes, label } of mutants) same(t, bytes, label);
  for (const [name, text] of Object.entries(mutatedModules)) {
    const lengths = Array.from({ length: Math.ceil(text.length / 97) }, (_, i) => 97 * i);
    for (const length of sample(lengths, 20, { name: (each) => `${name} ${each}` })) {
      same(t, Buffer.from(text.slice(0, length)), `${name} to ${length}`);
      same(t, Buffer.from(`${text.slice(0, length)}}`), `${name} to ${length}, closed`);
    }
  }
});

const head = `.version 8.5\n.target sm_90\n.address_size 64\n.global .u32 g[4];\n.func f;\n.extern .func (.reg .b32 r) h (.reg .b32 a, .param .b64 b);\n`;
const declarations = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .f32 %f<4>; .reg .f64 %d<2>;";

/** Statements of a body. */
function kindsOf(body: string): readonly string[] {
  const source = { name: "m.ptx", bytes: Buffer.from(`${head}.entry k() {\n${declarations}\n${body}\n}\n`) };
  const { outline, scanBody } = openModule(source)!;
  const kernel = outline.items.find((item) => item.kind === "function" && item.entry);
  if (kernel?.kind !== "function" || kernel.body === undefined) throw new Error("no kernel");
  const block: BlockStatement<AnyInstruction> | undefined = scanBody(kernel.body);
  return block?.statements.slice(5).map(({ kind }) => kind) ?? [];
}

const ordinary = [
  "ret;",
  "add.s32 %r1, %r2, %r3;",
  "@%p1 add.s32 %r1, %r2, -5;",
  "@!%p1 bra L; L:",
  "mov.f32 %f1, 0f3F800000;",
  "mov.f64 %d1, -1.5;",
  "ld.global.v2.u32 {%r1, %r2}, [%rd1+-8];",
  "st.global.u32 [g+4], %r1;",
  "mov.u64 %rd1, g+4;",
  "mov.u64 %rd1, g+-4;",
  "setp.eq.s32 %p1|%p2, %r1, %r2;",
  "setp.eq.s32 %p1|_, %r1, 0x10;",
  "atom.global.add.u32 _, [g], 1;",
  "mov.u32 %r1, %tid.x;",
  "mov.u32 %r1, %laneid;",
  "call f;",
  "call.uni f, ();",
  "@%p1 call (), f;",
  "call (%r1), h, (%r2, %rd1);",
  "call (_), %rd1, (%r2, %rd1), h;",
  "call %rd1, h;",
];

const others = [
  "call (%r1), h, (1, %rd1);",
  "call .uni f;",
  "calls f, (1);",
  "mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid .x;",
  "mov.u32 %r1, 1 + 2;",
  "mov.b64 {%r1, _}, %rd1;",
  "add .s32 %r1, %r2, %r3;",
  "selp.u32 %r1, 1, 0, %p1; add.s32 %r1, %r2, (3);",
  "@!%p1 prefetchu.L1 [%rd1];",
  "setp.eq.s32 _|%p1, %r1, %r2;",
  "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f1}, [t, {%f1, %f2}];",
];

/** One statement with an array element expands to several instructions; positions of labels count each of them. */
const elements = ["mov.u64 %rd1, g[1];", "ld.global.u32 %r1, g[%r2 + 1];"];

test("the text scanner passes over all instructions but those with array elements", (t) => {
  for (const text of [...ordinary, ...others]) t.is(kindsOf(text)[0], "unparsed", text);
  for (const text of elements) t.is(kindsOf(text)[0], "instruction", text);
});

test("common instruction shapes with a fault, or that hide one", (t) => {
  const wrong = [
    "mov.b32 %r1, -0f3F800000;",
    `mov.u32 %r1, ${"1".repeat(5000)};`,
    "mov.u64 %rd1, 18446744073709551616;",
    "mov.u32 %r1, %tid.q; mov.u32 %r1, %tid.r; mov.u32 %r1, %tid.x.y;",
    "mov.u32 %r1, %tid; mov.u32 %r1, %laneid.x; mov.u32 %r1, %nosuch.x; mov.u32 %r1, %laneid+4;",
    "mov.f32 %f1, %laneid; add.u32 %r1, %r2, %laneid; mov.u32 %r1, %clusterid.x; mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;",
    "{ .reg .v2 .b32 %tid; .reg .b32 %laneid; mov.u32 %r1, %tid.x; mov.u32 %r1, %tid.z; mov.u32 %r1, %laneid; }",
    "call h; call (%r1), h, (%r2); call (%rd1), h, (%r2, %rd1); call (%r1), h, (%r2, _); call (%r1), h, (%r2, %rd1), f;",
    "{ .param .b64 b; .param .b32 c; call (%r1), h, (%r2, b); call (%r1), h, (%r2, c); call (_), h, (%r1, b); call b; }",
    "call k; call g; call %r1; call %f1, f; call nosuch; call (%r1), nosuch, (%r2); call f, (WARP_SZ); call WARP_SZ;",
    "P: .callprototype (.reg .b32 _) _ (.reg .b32 _); call (%r1), %rd1, (%r2), P; call (%r1), %rd1, (%rd2), P; call %rd1, P;",
    "T: .calltargets f, h; call (%r1), %rd1, (%r2, %rd1), T; call %rd1, T; L: call L; call f, L; call (L), f; call f, (f);",
    "@WARP_SZ ret;",
    "WARP_SZ;",
    "mov.u32 %r1, WARP_SZ;",
    "ld.global.u32 %r1, [WARP_SZ];",
    "st.const [g], %r1;",
    "mov.u64 %rd1, f+0; mov.u64 %rd1, f+4;",
    "mov.u64 %rd1, %rd2+8;",
    "mov.b32 %r1, {%r2};",
    "bra L+4; L:",
    "@ bra L; L:",
    "add.s32 %r1, %r2, %r99;",
    "add.s32 %r8, %r8, 4294967296; shl.b32 %r1, %r2, 33; div.s32 %r1, %r2, 0;",
    "ld.global.u32 %r1, [g+13]; ld.global.u32 %r1, [g+16]; ld.global.u32 %r1, [g+-4];",
    "{ .reg .b64 %r1; mov.u64 %r1, 1; } mov.u32 %r1, 1;",
    "{ .reg .b64 %r<2>; mov.u64 %r1, 1; } mov.u32 %r1, 1; mov.u64 %r1, 1;",
    "mov.b64 {%r1, %r1}, %rd1;",
  ];
  for (const body of [...ordinary, ...others, ...elements, ...wrong]) {
    const text = `${head}.entry k() {\n${declarations}\n${body}\n}\n.entry l() {\n${declarations}\n${body}\n}\n`;
    same(t, Buffer.from(text), body);
    same(t, Buffer.from(text), `${body} again`);
  }
});
