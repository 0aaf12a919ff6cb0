// Which modules have 32-bit addresses, and what only they may contain. For modules without .address_size ptxas 13.0
// decides the same: it refuses those with 32 bits here ("32-Bit compilation is no longer supported") and accepts the
// others.

import test from "ava";
import { checkModule } from "../../lib/check/check.js";
import { createSink } from "../../lib/diag/sink.js";
import { parseModule } from "../../lib/ptx/parse.js";
import { check, where } from "./support.js";

const declarations = `.global .u32 x; .const .u32 c; .global .texref t; .func f() { ret; }
.visible .entry k(.param .u32 p) { .reg .u16 %h; .reg .u32 %r<4>; .reg .u64 %d<4>; .reg .pred %p; .local .u32 l; .shared .u32 s;
`;

const text = (size: string, statement: string): string =>
  `.version 8.0\n.target sm_80\n${size}\n${declarations}${statement} ret; }\n`;

/** Statements that give a module 32-bit addresses. */
const narrow = [
  "cvta.global.u32 %r1, %r2;",
  "cvta.local.u32 %r1, %r2;",
  "cvta.to.global.u32 %r1, %r2;",
  "cvta.shared.u32 %r1, s;",
  "mov.u32 %r1, x;",
  "mov.b32 %r1, x;",
  "ld.global.u32 %r1, [%r2];",
  "ld.u32 %r1, [%r2+4];",
  "st.u32 [%r2], %r1;",
  "atom.global.add.u32 %r1, [%r2], 1;",
  "atom.add.u32 %r1, [%r2], 1;",
  "red.global.add.u32 [%r2], 1;",
  "ldu.global.u32 %r1, [%r2];",
  "prefetch.global.L1 [%r1];",
  "prefetchu.L1 [%r1];",
];

/** Statements that are valid with both sizes. */
const either = [
  "isspacep.global %p, %r1;",
  "mov.u32 %r1, f;",
  "mov.u32 %r1, k;",
  "mov.u32 %r1, s;",
  "mov.u32 %r1, l;",
  "ld.const.u32 %r1, [%r2];",
  "ld.param.u32 %r1, [%r2];",
  "ld.shared.u32 %r1, [%r2];",
  "cp.async.ca.shared.global [%r1], [%d2], 4;",
  "cvt.u64.u32 %d1, %r1; ld.global.u32 %r1, [%d1];",
  "mov.u64 %d1, x; cvta.global.u64 %d1, %d1; st.u32 [%d1], %r1;",
];

test("a module without .address_size is 32-bit if its code shows it", (t) => {
  for (const statement of narrow) {
    const { module, errors } = check(text("", statement));
    t.deepEqual(errors, [], statement);
    t.is(module.addressSize, 32, statement);
    t.is(check(text(".address_size 32", statement)).errors.length, 0, statement);
    const wide = check(text(".address_size 64", statement));
    t.deepEqual(
      wide.errors.map(({ code }) => code),
      ["operand-type"],
      statement,
    );
  }
});

test("other modules without .address_size go with both sizes", (t) => {
  for (const statement of either) {
    const said = check(text("", statement));
    t.deepEqual(said.errors, [], statement);
    t.is(said.module.addressSize, "any", statement);
    for (const [size, expected] of [
      [".address_size 32", 32],
      [".address_size 64", undefined],
    ] as const) {
      const { module, errors } = check(text(size, statement));
      t.deepEqual(errors, [], statement);
      t.is(module.addressSize, expected, statement);
    }
  }
});

test("an address size found in one module does not carry over to the next", (t) => {
  const [shows, hides] = [text("", "ld.u32 %r1, [%r2];"), text("", "ld.shared.u32 %r1, [%r2];")];
  for (const [module, expected] of [shows, hides, shows, hides].map((each) => [each, each === shows ? 32 : "any"]))
    t.is(check(module as string).module.addressSize, expected as 32 | "any");
});

test("the whole tree and the text give the same address size, and faults are reported once", (t) => {
  const module = text("", "ld.u32 %r1, [%r2]; ld.u32 %r1, [%h]; ld.u32 %r1, [x1];");
  const sink = createSink();
  const whole = checkModule(parseModule({ name: "m.ptx", bytes: Buffer.from(module) }, sink), sink);
  t.is(whole.addressSize, 32);
  t.deepEqual(sink.all.map(where), check(module).diagnostics.map(where));
  t.deepEqual(
    sink.all.map(({ code }) => code),
    ["operand-type", "unknown-name"],
  );
});

test("textures are named in 64 bits in modules of both sizes", (t) => {
  for (const size of ["", ".address_size 32", ".address_size 64"]) {
    t.is(check(text(size, "mov.u32 %r1, t;")).errors.length, 1);
    t.is(check(text(size, "mov.u64 %d1, t;")).errors.length, 0);
  }
});

test("an address in a .u32 holder is narrow but in 32-bit modules", (t) => {
  const module = (size: string, code = ""): string =>
    `.version 8.0\n.target sm_80\n${size}\n.global .u32 x; .global .u32 p = x; .global .u64 q = generic(x);\n${code}`;
  const shows = ".visible .entry k() { .reg .u32 %r<3>; ld.global.u32 %r1, [%r2]; ret; }";
  const warned = (text: string): readonly string[] =>
    check(text)
      .diagnostics.map(({ code }) => code)
      .filter((code) => code !== "unset-register");
  t.deepEqual(warned(module(".address_size 64")), ["narrow-address"]);
  t.deepEqual(warned(module("")), ["narrow-address"]);
  t.deepEqual(warned(module("", shows)), []);
  t.deepEqual(warned(module(".address_size 32")), []);
});

test("a module has one size, of 32 or 64 bits, from PTX 2.3 on", (t) => {
  const head = ".version 8.0\n.target sm_80\n";
  t.is(check(`${head}.address_size 16\n`).errors[0]?.code, "unsupported-target");
  t.is(check(".version 2.2\n.target sm_20\n.address_size 32\n").errors[0]?.code, "requires");
  t.is(check(".version 2.3\n.target sm_20\n.address_size 32\n").errors.length, 0);
});
