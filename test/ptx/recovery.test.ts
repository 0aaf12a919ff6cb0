// One run tells of every fault, once each: the message of one is never the echo of another.

import test, { type ExecutionContext } from "ava";
import { remedyFor } from "../../lib/ptx/other-texts.table.js";
import { bare, header, parse } from "./support.js";

/** Lines marked `//!` hold one fault each; no other line has a message. */
function oneMessageForEach(t: ExecutionContext, text: string): void {
  const whole = header + text;
  const expected = whole.split("\n").flatMap((line, index) => (line.includes("//!") ? [index + 1] : []));
  const { messages } = parse(whole);
  t.deepEqual(
    messages.map((message) => Number(message.split(":")[0])),
    expected,
    messages.join("\n"),
  );
}

test("faulty statements are skipped one by one", (t) => {
  oneMessageForEach(
    t,
    `.entry k(.param .u64 p) {
  .reg .b32 %r<4> %q;                    //!
  .reg .b64 %rd<4>;
  add.s32 %r1 %r2, %r3;                  //!
  mov.b64 {%r1, %r2, %rd1;               //!
  ld.u32 %r1, [%rd1;                     //!
  ret;
  foo: bar: baz;
  mov.b64 %rd1, {{%r1, %r2}, %r3};       //!
  call (a b), f, (c);                    //!
  call (a), f, (
    b c                                  //!
  );
  } }                                    //!
.global .u32 a;
`.replace("  } } ", "  }\n} "),
  );
});

test("a statement without its semicolon does not swallow the next", (t) => {
  oneMessageForEach(
    t,
    `.entry k() {
  mov.u32 %r1, %r2                       //!
  ret;
  add.s32 %r1, %r2, %r3                  //!
  @%p bra L;
L:
  mov.u32 %r1, %r2                       //!
  .reg .b32 %q;
  mov.u32 %r1, %r2                       //!
}
`,
  );
  const { module } = parse(`${header}.entry k() { mov.u32 a, b\nret; }`);
  const kernel = bare(module.items[3]) as { body: { statements: unknown[] } };
  t.is(kernel.body.statements.length, 1);
});

test("faulty items are skipped one by one, and faulty heads do not hide faulty bodies", (t) => {
  oneMessageForEach(
    t,
    `.global .u32 a = {1, 2;                 //!
.global .u32 b = 3;
.global .u33 c;                           //!
.visible .func (.param .b32) f() {        //!
  add.s32 a b;                            //!
  ret;
}
.entry k(.param .u64 p,) {                //!
  { ret }                                 //!
  ret;
}
.alias x y;                               //!
.section .debug_info { .b8 1; }           //!
.file "a.cu"                              //!
.bogus 5;                                 //!
.global .u32 d = 4;
`,
  );
});

test("a body without its closing brace ends at the next item", (t) => {
  oneMessageForEach(
    t,
    `.entry k() {
  { ret;
.visible .entry l() {                     //!
  ret;
}
.global .u32 a b;                         //!
`,
  );
});

test("an item inside a body is one fault, and the body continues after it", (t) => {
  oneMessageForEach(
    t,
    `.entry k() {
  .visible .global .u32 a;                //!
  .reg .b32 %r<3>;
  add.s32 %r1, %r2;
  add.s32 %r1 %r2;                        //!
}
.global .u32 b;
`,
  );
});

test("an incomplete header is one fault", (t) => {
  t.deepEqual(parse(".target sm_90\n.address_size 64\n.global .u32 a;").messages, [
    "1:1 expected '.version' at the start of the module, found '.target'",
  ]);
  t.deepEqual(parse(".version 8.5\n.address_size 64\n.target sm_90").messages, [
    "2:1 expected '.target' after '.version', found '.address_size'",
  ]);
  t.is(parse(".version x\n.target sm_90\n.address_size 64").messages.length, 1);
});

test("text in another language is one fault; text with directives is parsed for more", (t) => {
  const missing = (found: string): readonly string[] => [
    `1:1 this text is not PTX: a module begins with '.version', and here is '${found}'`,
  ];
  for (const [text, found] of [
    ["hello\n", "hello"],
    ["#!/bin/sh\necho hi\nfoo(bar);\n", "#"],
    ["int main() { return 0; }", "int"],
  ] as const)
    t.deepEqual(parse(text).messages, missing(found));
  t.true(parse("hello\n.target sm_90\n.global .u33 a;\n.x;").messages.length > 1);
});

test("after a thousand faults parsing stops", (t) => {
  const { messages } = parse(header + ".x;\n".repeat(5000));
  t.is(messages.length, 1001);
  t.is(messages[1000], "1000 syntax errors; the rest of the file was not read");
});

test("tokens inside an unclosed comment are not reported as missing", (t) => {
  t.deepEqual(parse(`${header}.entry k() { ret; /* }`).messages, ["4:19 this comment is never closed"]);
});

test("text in another language gets a remedy", (t) => {
  for (const [text, remedy] of [
    ["hello\n", "give what a compiler wrote as PTX (nvcc --ptx, clang -S), or leave the file out"],
    ["#include <x>\n", "it looks like C or C++: nvcc --ptx -arch=sm_90 m makes PTX of CUDA code"],
    ["int main() { return 0; }", "it looks like C or C++: nvcc --ptx -arch=sm_90 m makes PTX of CUDA code"],
    ["; ModuleID = 'm'\n", "it looks like LLVM's assembly: llc -march=nvptx64 -mcpu=sm_90 m makes PTX of it"],
    ["a.o\nb.o\n", "it looks like a list of files: give it as @m"],
    ['{ "launches": [] }', "if it is a specification of launches, give it with --launch"],
  ] as const)
    t.is(remedyFor("m", Buffer.from(text)), remedy);
});
