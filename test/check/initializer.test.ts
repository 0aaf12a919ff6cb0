// Layouts, and initialisers folded to bytes and fix-ups: PTX ISA 9.0 sections 5.4.2 to 5.4.5.
// test/object/oracle.test.ts compares bytes and relocations of whole modules with those of `ptxas -c`.

import test from "ava";
import { check, head, symbolOf, where } from "./support.js";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

const layouts: readonly (readonly [declaration: string, size: number, align: number])[] = [
  [".global .u8 v;", 1, 1],
  [".global .f64 v;", 8, 8],
  [".global .b128 v;", 16, 16],
  [".global .v2 .f32 v;", 8, 8],
  [".global .v4 .f32 v[3];", 48, 16],
  [".global .u16 v[3][5];", 30, 2],
  [".global .align 64 .u8 v;", 1, 64],
  [".global .align 1 .u64 v;", 8, 8],
  [".global .align 4 .align 16 .u32 v;", 4, 16],
  [".global .u32 v[] = {1, 2, 3};", 12, 4],
  [".extern .shared .align 16 .b8 v[];", 0, 16],
];

for (const [declaration, size, align] of layouts) {
  test(`${declaration} has ${size} bytes aligned to ${align}`, (t) => {
    const checked = check(`${head()}${declaration}\n`);
    t.deepEqual(checked.errors, []);
    const symbol = symbolOf(checked, "v");
    t.true(symbol.kind === "variable" && symbol.layout.size === size && symbol.layout.align === align);
  });
}

const bytes: readonly (readonly [declaration: string, bytes: string])[] = [
  [".global .u32 v = 1;", "01000000"],
  [".global .s16 v = -2;", "feff"],
  [".global .b8 v = 0x1FF;", "ff"],
  [".global .u8 v[4] = {1, 2};", "01020000"],
  [".global .u16 v[2][2] = {{1, 2}, {3, 4}};", "0100020003000400"],
  [".global .u16 v[2][2] = {{1}, {3, 4}};", "0100000003000400"],
  [".global .v2 .u16 v[2] = {{1, 2}, {3, 4}};", "0100020003000400"],
  [".global .f32 v = 1.0;", "0000803f"],
  [".global .f32 v = 0f3F800000;", "0000803f"],
  [".global .f32 v = 0d3FF0000000000000;", "0000803f"],
  [".global .f32 v = 0.1;", "cdcccc3d"],
  [".global .f64 v = 1.0;", "000000000000f03f"],
  [".global .b32 v = 1.0;", "0000803f"],
  [".global .b64 v = 1.0;", "000000000000f03f"],
  [".global .f64 v = 0f3F800000;", "0000803f00000000"],
  [".global .b128 v = 1;", "01000000000000000000000000000000"],
];

for (const [declaration, expected] of bytes) {
  test(`${declaration} is ${expected}`, (t) => {
    const checked = check(`${head()}${declaration}\n`);
    t.deepEqual(checked.errors, []);
    const symbol = symbolOf(checked, "v");
    t.is(symbol.kind === "variable" && symbol.initial !== undefined ? hex(symbol.initial.bytes) : "", expected);
  });
}

const fixups: readonly (readonly [value: string, fixup: string])[] = [
  ["g", "0+8 address g+0"],
  ["g+4", "0+8 address g+4"],
  ["generic(g)", "0+8 generic g+0"],
  ["generic(g)+8", "0+8 generic g+8"],
  ["f", "0+8 address f+0"],
  ["k", "0+8 address k+0"],
  ["0xFF(g)", "0+8 address g+0 byte 0"],
  ["0xFF0000(g)", "0+8 address g+0 byte 2"],
  ["0xFF00(generic(g))", "0+8 generic g+0 byte 1"],
];

for (const [value, expected] of fixups) {
  test(`.u64 v = ${value} is fixed up: ${expected}`, (t) => {
    const text = `.global .u32 g[4];\n.func f() { ret; }\n.entry k() { ret; }\n.global .u64 v = ${value};\n`;
    const checked = check(head() + text);
    t.deepEqual(checked.errors, []);
    const symbol = symbolOf(checked, "v");
    const found = symbol.kind === "variable" ? (symbol.initial?.fixups ?? []) : [];
    const texts = found.map(
      (one) =>
        `${one.offset}+${one.width} ${one.kind} ${checked.module.symbols[one.symbol]!.name}+${one.addend}` +
        (one.byte === undefined ? "" : ` byte ${one.byte}`),
    );
    t.deepEqual(texts, [expected]);
  });
}

const faults: readonly (readonly [declarations: string, fault: string])[] = [
  [".global .u32 v[2] = {1, 2, 3};", "initializer-shape 4:21"],
  [".global .u32 v[2] = 1;", "initializer-shape 4:21"],
  [".global .u32 v = {1};", "initializer-shape 4:18"],
  [".global .v2 .u32 v = {1};", "initializer-shape 4:22"],
  [".global .u32 v = 1.0;", "initializer-type 4:18"],
  [".global .f32 v = 1;", "initializer-type 4:18"],
  [".global .f16 v = 1.0;", "initializer-type 4:18"],
  [".shared .u32 v = 1;", "initializer-space 4:18"],
  [".extern .global .u32 v = 1;", "initializer-space 4:26"],
  [".global .u64 v = w;", "unknown-name 4:18"],
  [".shared .u32 s; .global .u64 v = s;", "initializer-space 4:34"],
  [".global .u32 g; .global .u16 v = g;", "initializer-type 4:34"],
  [".global .u32 g; .global .u64 v = 0xF0(g);", "initializer-mask 4:34"],
  [".func f() { ret; } .global .u64 v = f+4;", "initializer-type 4:37"],
];

for (const [declarations, fault] of faults) {
  test(`${declarations} is ${fault}`, (t) => {
    t.deepEqual(check(`${head()}${declarations}\n`).errors.map(where), [fault]);
  });
}

test("a name in a body takes precedence over the module's", (t) => {
  const body = ".global .u32 a; { .const .u32 b = 2; .global .u64 p[3] = {a, generic(b), c}; mov.u64 %r, p; } ret;";
  const checked = check(`${head()}.global .u32 a, b, c;\n.visible .entry k() { .reg .b64 %r; ${body} }\n`);
  t.deepEqual(checked.errors, []);
  const { symbols } = checked.module!;
  const pointers = symbols.find(({ name }) => name.startsWith("$__p__"));
  const fixups = pointers?.kind === "variable" ? (pointers.initial?.fixups ?? []) : [];
  t.deepEqual(
    fixups.map(({ kind, symbol }) => `${kind} ${symbols[symbol]!.name}`),
    ["address $__a__0", "generic $__b__0", "address c"],
  );
});
