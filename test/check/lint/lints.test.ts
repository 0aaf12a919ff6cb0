// Each lint warns about its own mistake only, and the pre-filter selects every body with one.

import test from "ava";
import { checkSource } from "../../../lib/check/check.js";
import { instructionLints } from "../../../lib/check/lint/lints.js";
import { createSink } from "../../../lib/diag/sink.js";
import { resolveOpcode } from "../../../lib/isa/opcode.js";

const head = `.version 8.5
.target sm_90
.address_size 64
.global .align 4 .b8 g[12];
.entry k(.param .u64 p) {
.reg .b32 %r<5>; .reg .b64 %rd<5>; .reg .f32 %f<3>; .reg .b16 %h<3>;
mov.u32 %r1, 1; mov.u32 %r2, 2; mov.u64 %rd1, g; mov.f32 %f1, 0f3F800000;
`;

const codesOf = (body: string): readonly string[] => {
  const sink = createSink();
  checkSource({ name: "m.ptx", bytes: Buffer.from(`${head}${body}\nret;\n}\n`) }, sink);
  return sink.all.map(({ code }) => code);
};

const cases: readonly (readonly [body: string, ...codes: string[]])[] = [
  ["ld.global.u32 %r3, [g+8];"],
  ["ld.global.u32 %r3, [g+12];", "out-of-bounds"],
  ["st.global.u32 [g+-4], %r1;", "out-of-bounds"],
  ["atom.global.add.u32 %r3, [g+2], 1;", "misaligned-access"],
  ["red.global.add.u64 [g], %rd1;", "misaligned-access"],
  ["ld.param.u64 %rd2, [p]; ld.param.u32 %r3, [p+8];", "out-of-bounds"],
  ["ld.global.u32 %r3, [%rd1+13];"],
  ["shl.b32 %r3, %r1, 31; shr.u32 %r3, %r1, 32;", "shift-range"],
  ["shl.b32 %r3, %r1, %r2; shl.b64 %rd2, %rd1, 63;"],
  ["div.s32 %r3, %r1, 0; rem.u32 %r3, %r1, 0;", "division-by-zero", "division-by-zero"],
  ["div.s32 %r3, 0, %r1; div.rn.f32 %f2, %f1, 0f00000000;"],
  ["add.s32 %r3, %r1, 4294967295; add.s32 %r3, %r1, 4294967296;", "constant-truncated"],
  ["mov.b16 %h1, 65536; mov.b16 %h2, -32768;", "constant-truncated"],
  ["mov.f32 %f2, 1e39; mov.f32 %f2, 0f7F800000;", "float-range"],
  ["mov.b64 {%r3, %r3}, %rd1;", "written-twice"],
  ["add.s32 %r3, %r4, 1;", "unset-register"],
  ["@%r3 ret;", "operand-type"],
];

for (const [body, ...codes] of cases)
  test(`${body} warns of ${codes.join(", ") || "nothing"}`, (t) => {
    t.deepEqual(codesOf(body), codes);
    // The second time, the match cache answers.
    t.deepEqual(codesOf(body), codes);
  });

test("most opcodes have no lint, so that nearly every instruction is passed over", (t) => {
  const linted = (spelling: string): number => instructionLints(resolveOpcode(spelling)[0]!).length;
  for (const spelling of ["ld.global.u32", "st.shared.v4.f32", "red.add.u32", "shl.b64", "rem.s16"])
    t.is(linted(spelling), 1, spelling);
  for (const spelling of [
    "add.s32",
    "mov.u32",
    "div.rn.f32",
    "cvt.u32.u64",
    "bra",
    "call",
    "bar.sync",
    "mbarrier.init.b64",
  ])
    t.is(linted(spelling), 0, spelling);
});
