// Verdicts on statements and modules where the checker once differed from ptxas 13.0 (recorded by
// testdata/check/decisions.mjs), and on what we accept and ptxas refuses.

import { readFileSync } from "node:fs";
import test from "ava";
import { assemble } from "../../lib/object/assemble.js";
import { textOf } from "../object/essence.js";
import { wordsOf } from "../exec/kernel.js";
import { check, head, symbolOf } from "./support.js";

const read = (name: string): string =>
  readFileSync(new URL(`../../../testdata/check/${name}`, import.meta.url), "utf8");
const frame = read("decisions.ptx");
const { verdicts } = JSON.parse(read("decisions.json")) as {
  readonly verdicts: readonly { readonly line: string; readonly accepted: boolean }[];
};

/** Where ptxas accepts more than the manual allows: docs/differences.md. */
const refused: readonly RegExp[] = [
  /\.reg \.attribute\(\.unified/,
  /callprototype _ \(\.param \.attribute/,
  /(?:ld\.global\.nc|ldu|atom|ld\.mmio)\.\S+ .*\.unified/,
  /%laneid\+1/,
];

function isAccepted(line: string): boolean {
  const [, version = "9.0", target = "sm_90a", text = ""] = /^(?:(\d\.\d) (sm_\w+) \| )?(.*)$/.exec(line)!;
  const body = text.replaceAll("\\n", "\n");
  return (
    check(
      head(version, target) + (body.startsWith("@") ? `${body.slice(1)}\n` : frame.replace("STATEMENT", () => body)),
    ).errors.length === 0
  );
}

test("statements and modules are accepted and refused as ptxas does", (t) => {
  const differing = verdicts.filter(({ line, accepted }) => isAccepted(line) !== accepted).map(({ line }) => line);
  t.deepEqual(
    differing.filter((line) => !refused.some((pattern) => pattern.test(line))),
    [],
  );
  t.true(verdicts.length >= 240);
});

test("a plain definition has the linkage of its prototype", (t) => {
  const text =
    ".visible .func f();\n.weak .func h();\n.visible .entry k();\n.func f() { ret; }\n.func h() { ret; }\n.entry k() { ret; }\n";
  const checked = check(head("8.0", "sm_80") + text);
  t.deepEqual(checked.diagnostics, []);
  t.deepEqual(
    ["f", "h", "k"].map((name) => symbolOf(checked, name).linkage),
    ["visible", "weak", "visible"],
  );
});

test("what the manual allows and ptxas refuses is accepted, with a warning", (t) => {
  const codes = (text: string): readonly string[] =>
    check(head("8.0", "sm_80") + text).diagnostics.map(({ code }) => code);
  const kernel = (body: string): string =>
    `.global .u32 a[8];\n.entry k() { .reg .u32 %r<3>; mov.u32 %r1, %tid.x; ${body} ret; }\n`;
  t.deepEqual(codes(".global .u32 a[2*(3+1)][WARP_SZ/4];"), ["beyond-ptxas", "beyond-ptxas"]);
  t.deepEqual(codes(kernel("ld.global.u32 %r2, a[%r1 - 2];")), ["beyond-ptxas"]);
  t.deepEqual(codes(kernel("ld.global.u32 %r2, a[%r1 + 2];")), []);
  t.deepEqual(codes(".global .u32 a[2-3];"), ["syntax"]);
  t.deepEqual(codes(".global .u32 a[1.5*2.0];"), ["syntax"]);
  const layout = symbolOf(check(`${head()}.global .u32 a[2*(3+1)][WARP_SZ/4];`), "a");
  t.deepEqual(layout.kind === "variable" && layout.layout.dimensions, [8, 8]);
});

test("an index minus a constant, and sums of registers, keep their meaning", async (t) => {
  const before = ".global .u32 a[8] = {10, 11, 12, 13, 14, 15, 16, 17};";
  const body = `
    .reg .b32 %r<9>; .reg .b16 %h<3>; .reg .b64 %rd<3>; .reg .pred %p;
    bra over;
    st.global.u32 [%out], 99;
  back: cvt.u32.u16 %r4, %h1 + 1;
    st.global.u32 [%out+8], %r4;
    st.global.u32 [%out+12], %r1 + -7;
    bra end;
  over: mov.u32 %r1, 5;
    ld.global.u32 %r2, a[%r1 - 2];
    st.global.u32 [%out], %r2;
    add.u32 %r3, %r1 + 3, %r1 + 4;
    st.global.u32 [%out+4], %r3;
    mov.u16 %h1, 0xffff;
    setp.eq.u32 %p, %r1 + 1, 6;
    @%p bra back;
  end:`;
  t.deepEqual(await wordsOf(body, 4, { before }), [13, 17, 0, -2]);
});

test("[a].unified is kept by objects", (t) => {
  const text = `${head("8.0", "sm_90")}.visible .entry k(.param .u64 p) { .reg .u64 %rd; .reg .u32 %r; ld.param.u64 %rd, [p]; ld.global.v2.u32 {%r, _}, [%rd+8].unified; ret; }\n`;
  const { module, errors } = check(text);
  t.deepEqual(errors, []);
  t.regex(textOf(assemble(module)), /ld\.global\.v2\.u32 \{%\w+, _\}, \[%\w+\+8\]\.unified;/);
});
