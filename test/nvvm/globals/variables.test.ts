// Variables of NVVM IR as PTX (NVVM IR 1.0 sections 3.5, 10.1, 14.1 and chapter 5).

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { installed, testWith } from "../../tools.js";
import { compile, placesOf } from "../support.js";

/** The PTX of variables, without the header. */
const variables = (ir: string): readonly string[] => {
  const { lines, found } = compile(ir);
  return found.length > 0 ? placesOf(found) : lines.slice(3);
};

test("linkage is the directive of section 14.1", (t) => {
  const linkages = ["internal", "private", "", "weak", "weak_odr", "linkonce", "linkonce_odr", "common"];
  const made = linkages.map((linkage) => variables(`@g = ${linkage} addrspace(1) global i32 0, align 4`)[0]);
  const plain = ".global .align 4 .u32 g;";
  const weak = `.weak ${plain}`;
  t.deepEqual(made, [plain, plain, `.visible ${plain}`, weak, weak, weak, weak, weak]);
  t.deepEqual(variables("@g = external addrspace(1) global i32"), [`.extern ${plain}`]);
  t.deepEqual(variables("@g = available_externally addrspace(1) global i32 7"), [`.extern ${plain}`]);
});

test("address spaces are state spaces; 0 is global memory under its generic address", (t) => {
  const ir = `@a = global i32 1
@b = addrspace(1) global i32 1
@c = addrspace(4) constant i32 1
@s = internal addrspace(3) global [4 x i32] undef
@d = external addrspace(3) global [0 x i8], align 16
@p = addrspace(1) global [3 x i64] [i64 ptrtoint (i32* @a to i64), i64 ptrtoint (i32 addrspace(1)* @b to i64), i64 ptrtoint (i32 addrspace(4)* @c to i64)]`;
  t.deepEqual(variables(ir), [
    ".visible .global .align 4 .u32 a = 1;",
    ".visible .global .align 4 .u32 b = 1;",
    ".visible .const .align 4 .u32 c = 1;",
    ".shared .align 4 .b8 s[16];",
    ".extern .shared .align 16 .b8 d[];",
    ".visible .global .align 8 .u64 p[3] = {generic(a), b, c};",
  ]);
});

test("numbers are laid out byte for byte as the data layout says", (t) => {
  const cases: readonly (readonly [ir: string, ptx: string])[] = [
    ["i8 -1", ".align 1 .u8 g = 255;"],
    ["i1 true", ".align 1 .u8 g = 1;"],
    ["i24 -2", ".align 4 .b8 g[4] = {254, 255, 255};"],
    ["i64 -2", ".align 8 .u64 g = 18446744073709551614;"],
    ["i128 258", ".align 16 .b8 g[16] = {2, 1};"],
    ["half 0xH3C00", ".align 2 .b16 g = 15360;"],
    ["float 1.5", ".align 4 .f32 g = 0f3FC00000;"],
    ["double -0.0", ".align 8 .f64 g = 0d8000000000000000;"],
    ["[3 x i16] [i16 1, i16 -2, i16 0]", ".align 2 .b8 g[6] = {1, 0, 254, 255};"],
    ["{ i8, i32, double } { i8 1, i32 2, double 3.5 }", ".align 8 .b8 g[16] = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 64};"],
    ["<{ i8, i64, i16 }> <{ i8 1, i64 2, i16 3 }>", ".align 1 .b8 g[11] = {1, 2, 0, 0, 0, 0, 0, 0, 0, 3};"],
    ["<3 x float> <float 1.0, float 0.0, float 2.0>", ".align 16 .b8 g[12] = {0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 64};"],
    ["<8 x i1> <i1 1, i1 0, i1 1, i1 0, i1 0, i1 0, i1 0, i1 1>", ".align 1 .b8 g[1] = {133};"],
    ['[3 x i8] c"a\\00b"', ".align 1 .b8 g[3] = {97, 0, 98};"],
    ["[2 x [2 x i8]] [[2 x i8] zeroinitializer, [2 x i8] [i8 0, i8 4]]", ".align 1 .b8 g[4] = {0, 0, 0, 4};"],
    ["i32 add (i32 mul (i32 6, i32 7), i32 sub (i32 0, i32 1))", ".align 4 .u32 g = 41;"],
    ["i32 undef", ".align 4 .u32 g;"],
    ["[0 x i32] zeroinitializer", ".align 4 .b8 g;"],
  ]; // prettier-ignore
  for (const [ir, ptx] of cases)
    t.deepEqual(variables(`@g = addrspace(1) global ${ir}`), [`.visible .global ${ptx}`], ir);
});

test("addresses are a symbol plus bytes, through casts, too", (t) => {
  const value = (ir: string): string | undefined =>
    variables(`target triple = "nvptx64-nvidia-cuda"
@a = addrspace(1) global [4 x i32] zeroinitializer
@s = global [4 x i32] zeroinitializer
@c = addrspace(4) constant i32 5
@g = addrspace(1) global ${ir}`)
      .find((line) => line.includes(" g"))
      ?.replace(/^.* g(?:\[\d+\])? = (.*);$/, "$1");
  const cases: readonly (readonly [ir: string, ptx: string])[] = [
    ["ptr addrspace(1) @a", "a"],
    ["ptr addrspace(1) getelementptr (i32, ptr addrspace(1) @a, i64 -1)", "a+-4"],
    ["ptr addrspace(1) getelementptr ([4 x i32], ptr addrspace(1) @a, i64 0, i64 3)", "a+12"],
    ["ptr addrspacecast (ptr addrspace(1) @a to ptr)", "generic(a)"],
    ["ptr addrspacecast (ptr addrspace(4) @c to ptr)", "generic(c)"],
    ["ptr getelementptr (i8, ptr @s, i32 2)", "generic(s)+2"],
    ["i64 add (i64 ptrtoint (ptr @s to i64), i64 8)", "generic(s)+8"],
    ["ptr inttoptr (i64 ptrtoint (ptr @s to i64) to ptr)", "generic(s)"],
    ["i32 trunc (i64 ptrtoint (ptr addrspace(1) @a to i64) to i32)", "{0xFF(a), 0xFF00(a), 0xFF0000(a), 0xFF000000(a)}"],
    ["i8 trunc (i64 lshr (i64 ptrtoint (ptr addrspace(1) @a to i64), i64 8) to i8)", "{0xFF00(a)}"],
    ["i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr @s, i64 3) to i64), i64 ptrtoint (ptr @s to i64))", "12"],
    ["<{ i8, ptr }> <{ i8 9, ptr @s }>", `{9, ${[...Array(8).keys()].map((i) => `0xFF${"00".repeat(i)}(generic(s))`).join(", ")}}`],
    ["{ ptr, i32 } { ptr @s, i32 3 }", "{generic(s), 3}"],
  ]; // prettier-ignore
  for (const [ir, ptx] of cases) t.is(value(ir), ptx, ir);
});

test("a value that is neither a number nor one symbol plus a number is refused at its place", (t) => {
  const of = (ir: string): readonly string[] =>
    variables(`@a = addrspace(1) global i32 0\n@b = addrspace(1) global i32 0\n@g = addrspace(1) global ${ir}`);
  const a = "i64 ptrtoint (i32 addrspace(1)* @a to i64)";
  const b = "i64 ptrtoint (i32 addrspace(1)* @b to i64)";
  for (const ir of [`i64 sub (${a}, ${b})`, `i64 mul (${a}, i64 2)`])
    t.regex(of(ir).join(), /^nvvm-initializer 3:\d+$/, ir);
});

test("an oversized value is refused before it is made", (t) => {
  const { found } = compile(
    "@g = addrspace(1) global { [4000000000 x i8], i32 } { [4000000000 x i8] zeroinitializer, i32 1 }",
  );
  t.regex(found[0]?.message ?? "", /larger than 67108864 bytes/);
});

test("referents come first, and in a cycle one variable is declared ahead", (t) => {
  t.deepEqual(variables("@p = addrspace(1) global ptr addrspace(1) @q\n@q = addrspace(1) global i32 1"), [
    ".visible .global .align 4 .u32 q = 1;",
    ".visible .global .align 8 .u64 p = q;",
  ]);
  t.deepEqual(variables("@p = global ptr @q\n@q = global ptr @p"), [
    ".extern .global .align 8 .u64 p;",
    ".visible .global .align 8 .u64 q = generic(p);",
    ".visible .global .align 8 .u64 p = generic(q);",
  ]);
  t.is(
    variables("%n = type { ptr, i64 }\n@p = global %n { ptr @q, i64 1 }\n@q = global ptr @p")[0],
    ".extern .global .align 8 .u64 p[2];",
  );
  const [ahead, q, p] = variables("@p = internal global ptr @q\n@q = internal global ptr @p");
  const name = /__ptxkit_[0-9a-f]{8}_p/.exec(ahead!)![0];
  t.is(ahead, `.extern .global .align 8 .u64 ${name};`);
  t.is(q, `.global .align 8 .u64 q = generic(${name});`);
  t.is(p, `.visible .global .align 8 .u64 ${name} = generic(q);`);
});

test("chains of ten thousand variables are ordered", (t) => {
  const count = 10_000;
  const ir = Array.from({ length: count }, (_, i) => `@v${i} = global ptr ${i + 1 < count ? `@v${i + 1}` : "null"}`);
  t.is(variables(ir.join("\n"))[0], `.visible .global .align 8 .u64 v${count - 1};`);
});

test("names that PTX does not allow are renamed as NVIDIA does, without collisions", (t) => {
  const names = variables(
    '@.str.1 = private addrspace(1) constant i8 1\n@"a b" = internal addrspace(1) global i8 1\n@0 = internal addrspace(1) global i8 1\n@_$_x = addrspace(1) global i8 1\n@.x = internal addrspace(1) global i8 1',
  ).map((line) => /\.u8 (\S+) =/.exec(line)?.[1]);
  t.deepEqual(names, ["_$_str_$_1", "a_$20_b", "__unnamed_1", "_$_x", "_$_x_$1"]);
});

test("annotations make texture references and managed variables", (t) => {
  const made = variables(`@t = internal addrspace(1) global i64 0
@s = addrspace(1) global i64 0
@m = addrspace(1) global i32 3
!nvvm.annotations = !{!0, !1, !2}
!0 = !{i64 addrspace(1)* @t, !"texture", i32 1}
!1 = !{i64 addrspace(1)* @s, !"surface", i32 1}
!2 = !{i32 addrspace(1)* @m, !"managed", i32 1}`);
  t.deepEqual(made, [
    ".global .texref t;",
    ".visible .global .surfref s;",
    ".visible .global .attribute(.managed) .align 4 .u32 m = 3;",
  ]);
});

testWith(installed("ptxas"))("ptxas here takes circles, masks and references", (t) => {
  const ir = `target triple = "nvptx64-nvidia-cuda"
@a = global ptr @b
@b = global ptr @a
@wa = weak global ptr @wb
@wb = weak global ptr @wa
@ia = internal global ptr @ib
@ib = internal global { ptr, i64 } { ptr getelementptr (i8, ptr @ia, i64 -8), i64 5 }
@lo = addrspace(1) global i32 trunc (i64 ptrtoint (ptr @a to i64) to i32)
@pk = addrspace(1) global <{ i8, ptr }> <{ i8 9, ptr @b }>
@t = internal addrspace(1) global i64 0
!nvvm.annotations = !{!0}
!0 = !{ptr addrspace(1) @t, !"texture", i32 1}`;
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-variables-"));
  try {
    const file = path.join(folder, "a.ptx");
    writeFileSync(file, compile(ir).text);
    const { status, stderr } = spawnSync("ptxas", ["-c", "-arch", "sm_75", file, "-o", `${file}.o`], {
      encoding: "utf8",
    });
    t.is(status, 0, stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
