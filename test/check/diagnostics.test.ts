// One error, one diagnostic, with code, line and column: declarations, linkage, scopes, calls, requirements, spaces,
// limits.

import test from "ava";
import { check, head, where } from "./support.js";

type Case = readonly [text: string, ...faults: readonly string[]];

/** Texts after a header of three lines. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  redeclaration: [
    [".global .u32 a;\n.global .u32 a;", "redeclaration 5:14"],
    [".extern .global .u32 a;\n.visible .global .u32 a;"],
    [".extern .global .u32 a;\n.global .u32 a;", "redeclaration 5:14"],
    [".extern .global .u32 a;\n.visible .global .u64 a;", "redeclaration 5:23"],
    [".extern .global .u32 a[];\n.visible .global .u32 a[4];"],
    [".extern .global .u32 a[3];\n.visible .global .u32 a[4];", "redeclaration 5:23"],
    [".func a() { ret; }\n.global .u32 a;", "redeclaration 5:14"],
    [".visible .func a();\n.visible .func a() { ret; }"],
    [".visible .func a();\n.visible .func a(.param .b32 x) { ret; }", "redeclaration 5:16"],
    [".func a() .noreturn;\n.func a() { exit; }", "redeclaration 5:7"],
    [".global .u32 %tid;", "redeclaration 4:14"],
  ],
  declarations: [
    [".local .u32 a;", "variable-space 4:1"],
    [".global .pred a;", "variable-space 4:15"],
    [".global .u32 a[];", "incomplete-type 4:14"],
    [".global .texref a[];", "incomplete-type 4:17"],
    [".global .align 3 .u32 a;", "bad-alignment 4:9"],
    [".common .const .u32 a;", "linkage 4:1"],
    [".entry k(.param .v2 .u32 a) { ret; }", "variable-space 4:10"],
    [".func f(.param .b8 a[], .param .b32 b) { ret; }", "incomplete-type 4:20"],
    [".func (.param .b32 a, .param .b32 b) f() { ret; }", "variable-space 4:8"],
    [".func f(.param .u64 .ptr .global a) { ret; }", "variable-space 4:9"],
    [".entry k(.param .u64 .ptr .global .align 8 a) { ret; }"],
    [".func f(.reg .u16 a) { ret; }", "variable-space 4:9"],
    [".func (.reg .b16 r) f(.reg .v4 .u16 a, .reg .f16 b) { ret; }"],
    [".func f();", "undefined-function 4:7"],
    [".extern .func f();"],
  ],
  "a fault of a declaration is not repeated at its uses": [
    [".func f() { .reg .b32 x[2]; mov.b32 x, 1; mov.b32 x, 2; ret; }", "register-type 4:23"],
    [".func f() { .reg .texref x<3>; mov.b32 x1, 1; mov.b32 x2, 2; ret; }", "register-type 4:26"],
    [".global .pred g; .func f() { .reg .b64 r; mov.b64 r, g; ret; }", "variable-space 4:15"],
    [".func f() { mov.b32 %r1, 1; mov.b32 %r2, %r1; ret; }", "unknown-name 4:21"],
    [".func f() { .reg .b32 r1 mov.b32 r1, 1; mov.b32 r1, 2; ret; }", "syntax 4:26"],
    [".func f(.param .pred x) { ret; } .func g() { call f; ret; }", "variable-space 4:9"],
  ],
  scopes: [
    [".func f() { .reg .b32 x; { .reg .b64 x; mov.b64 x, 1; } mov.b32 x, 1; ret; }"],
    [".func f() { { .reg .b32 x; } mov.b32 x, 1; ret; }", "unknown-name 4:38"],
    [".func f() { .reg .b32 x, x; ret; }", "redeclaration 4:26"],
    [".func f() { .reg .b32 x2; .reg .b32 x<3>; ret; }", "redeclaration 4:37"],
    [".func f() { .reg .b32 x<3>; mov.b32 x02, 1; ret; }"],
    [".func f() { .reg .b32 x<3>; mov.b32 x3, 1; ret; }", "unknown-name 4:37"],
    [".func f() { .reg .b32 x1<3>; mov.b32 x12, 1; ret; }", "unknown-name 4:38"],
    [".func f() { .local .b8 p<3>; .reg .b64 r; mov.b64 r, p2; ret; }"],
    [".func f() { .shared .b8 p<3>; .reg .b64 r; mov.b64 r, p2; ret; }"],
    [".func f(.param .b32 x) { x: ret; }", "redeclaration 4:26"],
    [".func f() { L: ret; L: ret; }", "redeclaration 4:21"],
    [".func f() { bra L; { L: ret; } ret; }", "unknown-name 4:17"],
    [".func f() { L: { bra L; L: ret; } ret; }"],
  ],
  calls: [
    [".func f(.param .b32 x) { ret; }\n.func g() { .reg .b32 r; call f, (r); ret; }"],
    [".func f(.param .b32 x) { ret; }\n.func g() { call f; ret; }", "call 5:13"],
    [".func f(.param .b32 x) { ret; }\n.func g() { call f, (_); ret; }", "call 5:22"],
    [".func f(.param .f32 x) { ret; }\n.func g() { call f, (1); ret; }", "call 5:22"],
    [".func f(.param .b32 x) { ret; }\n.func g() { .local .b32 a; call f, (a); ret; }", "call 5:37"],
    [".func f(.param .b32 x) { ret; }\n.func g(.param .b32 a) { call f, (a); ret; }", "call 5:35"],
    [".func f(.param .b8 x[8]) { ret; }\n.func g() { .param .align 8 .b8 a[8]; call f, (a); ret; }", "call 5:48"],
    [".func f(.param .b32 x, .param .b8 y[]) { ret; }\n.func g() { .reg .b32 r; call f, (r); ret; }"],
    [".entry f() { ret; }\n.func g() { call f; ret; }", "call 5:13"],
    [".func g() { .reg .b64 r; call r; ret; }", "call 4:26"],
    [".func f() { ret; }\n.func g() { p: .callprototype _ (); call f, p; ret; }", "call 5:37"],
    [".func f() { ret; }\n.func h(.param .b32 x) { ret; }\n.func g() { .reg .b64 r; p: .calltargets f, h; call r, p; ret; }", "call 6:48"], // prettier-ignore
  ],
  spaces: [
    [".shared .u32 s; .func f() { .reg .b32 r; ld.global.b32 r, [s]; ret; }", "operand-space 4:60"],
    [".const .u32 c; .func f() { .reg .b32 r; ld.b32 r, [c]; ret; }", "operand-space 4:52"],
    [".entry f(.param .b32 p) { .reg .b32 r; ld.b32 r, [p]; ret; }", "operand-space 4:51"],
    [".entry f(.param .b32 p) { .reg .b32 r; st.param.b32 [p], r; ret; }", "operand-space 4:54"],
    [".func f() { .reg .b32 r; ld.global.b32 r, [16]; ret; }", "operand-space 4:44"],
    [".func f() { .reg .b32 r; ld.local.b32 r, [16]; ret; }"],
    [".func f() { .reg .b32 r; ld.global.b32 r, [f]; ret; }", "operand-kind 4:44"],
    [".global .u32 g; .func f() { .reg .b32 r; mov.u32 r, g; ret; }", "operand-type 4:53"],
    [".shared .u32 s; .func f() { .reg .b32 r; mov.u32 r, s; ret; }"],
    [".func f() { .reg .b32 r; ld.global.b32 r, [r]; ret; }", "operand-type 4:44"],
  ],
  textures: [
    [".global .texref t; .func f() { .reg .f32 a; tex.1d.v4.f32.f32 {a, a, a, a}, [t, {a, a, a, a}]; ret; }"],
    [".global .texref t; .func f() { .reg .f32 a; tex.2d.v4.f32.f32 {a, a, a, a}, [t, {a, a, a, a}]; ret; }"],
    [".global .texref t; .func f() { .reg .f32 a; tex.1d.v4.f32.f32 {a, a, a, a}, [t, {a, a, a}]; ret; }", "operand-count 4:81"], // prettier-ignore
    [".global .texref t; .func f() { .reg .f32 a; tex.2d.v4.f32.f32 {a, a, a, a}, [t, {a}]; ret; }", "operand-count 4:81"], // prettier-ignore
    [".global .surfref s; .func f() { .reg .b32 r; suld.b.1d.b32.trap r, [s, {r, r}]; ret; }"],
  ],
  directives: [
    [".entry k() .maxntid 1,2,3,4 { ret; }", "syntax 4:26"],
    [".entry k() .maxntid 32 .reqntid 32 { ret; }", "directive 4:24"],
    [".func f() .maxntid 32 { ret; }", "syntax 4:11"],
    [".func (.param .b32 r) f() .noreturn { exit; }", "directive 4:23"],
    [".const .b8 a[65537];", "constant-bank 4:12"],
    [".const .b8 a[65536];"],
    [".visible .func f() { ret; }\n.visible .func g();\n.alias g, f;\n.alias g, f;", "alias 7:8"],
    [".visible .func f() { ret; }\n.visible .func g(.param .b32 x);\n.alias g, f;", "alias 6:1"],
    [".section .debug_str {\n.b8 256\n}", "section-data 5:1"],
    [
      ".section .debug_str {\n.b8 256\n}\n.section .debug_str {\n.b8 0\nl: .b8 l\n.b8 257\n}",
      "section-data 5:1",
      "section-data 9:4",
      "section-data 10:1",
    ],
  ],
};

for (const [kind, list] of Object.entries(cases)) {
  for (const [text, ...faults] of list) {
    test(`${kind}: ${text.replaceAll("\n", " ")} gives ${faults.length === 0 ? "nothing" : faults.join(", ")}`, (t) => {
      t.deepEqual(check(`${head()}${text}\n`).errors.map(where), faults);
    });
  }
}

/** Version and target, a text, and whether the version and target have its features. */
const requirements: readonly (readonly [
  version: string,
  target: string,
  text: string,
  ...faults: readonly string[],
])[] = [
  ["6.5", "sm_80", ".global .u32 a;", "target-version 2:9"],
  ["6.6", "sm_75", ".global .u32 a;", "unsupported-version 1:1"],
  ["8.5", "sm_99", ".global .u32 a;", "unsupported-target 2:9"],
  ["3.0", "sm_30", ".weak .global .u32 a;\n.weak .global .u32 b;", "requires 4:1"],
  ["4.3", "sm_30", ".common .global .u32 a;", "requires 4:1"],
  ["8.2", "sm_75", ".global .b128 a;", "requires 4:1"],
  ["7.0", "sm_75", ".global .u32 a; .global .u8 b = 0xFF(a);", "requires 4:33"],
  ["7.8", "sm_80", ".entry k() .maxclusterrank 2 { ret; }", "requires 4:12"],
  ["8.5", "sm_80", ".entry k() { .reg .b32 r; mov.b32 r, %clusterid.x; ret; }", "requires 4:38"],
  ["9.0", "sm_90", ".entry k() .blocksareclusters { ret; }", "directive 4:12"],
  ["3.2", "sm_35", ".func f(.reg .f32 a) { .reg .b16 h; cvt.rn.f16.f32 h, a; cvt.f32.f16 a, h; ret; }"],
  ["4.1", "sm_50", ".func f() { .reg .b16 h; add.f16 h, h, h; ret; }", "requires 4:26"],
  ["8.0", "sm_75, texmode_independent", ".entry k(.param .texref t, .param .samplerref s) { .reg .f32 a; tex.1d.v4.f32.f32 {a, a, a, a}, [t, s, {a}]; ret; }"], // prettier-ignore
];

for (const [version, target, text, ...faults] of requirements) {
  test(`PTX ${version} for ${target}: ${text.replaceAll("\n", " ")} gives ${faults.length === 0 ? "nothing" : faults.join(", ")}`, (t) => {
    t.deepEqual(check(`${head(version, target)}${text}\n`).errors.map(where), faults);
  });
}
