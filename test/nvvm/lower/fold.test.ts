// Folding of integer values, decided branches, and `__nvvm_reflect`.

import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import type { Body } from "../../../lib/nvvm/ir/global.js";
import type { Value } from "../../../lib/nvvm/ir/value.js";
import { flowOf } from "../../../lib/nvvm/lower/flow.js";
import { foldBody } from "../../../lib/nvvm/lower/fold.js";
import { ftzFlag, reflectValue, type ReflectOptions } from "../../../lib/nvvm/lower/reflect.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";

const options: ReflectOptions = { arch: 90, ftz: true, precDiv: false, precSqrt: true };

function parse(text: string) {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: Buffer.from(text) }, sink);
  if (module === undefined) throw new Error(sink.all[0]?.message);
  return module;
}

/** The first defined function's body, folded. */
function folded(text: string): Body {
  const body = parse(text)
    .functions.find((fn) => fn.body !== undefined)!
    .body!.read(createSink())!;
  foldBody(body, (instruction) => reflectValue(instruction, options));
  return body;
}

const show = (value: Value | undefined): string => {
  if (value === undefined) return "void";
  if (value.kind === "integer") return `${BigInt.asIntN(value.type.bits, value.value)}`;
  return value.kind === "instruction" ? value.opcode : value.kind;
};

/** Values that reachable blocks return, in the order of the text. */
function returns(body: Body): readonly string[] {
  const { order } = flowOf(body);
  return order
    .toSorted((a, b) => a - b)
    .map((index) => body.blocks[index]!.instructions.at(-1)!)
    .filter(({ opcode }) => opcode === "ret")
    .map(({ operands }) => show(operands[0]));
}

const reflecting = (call: string): string => `
@.str = private unnamed_addr constant [12 x i8] c"__CUDA_ARCH\\00", align 1
@.ftz = private unnamed_addr addrspace(4) constant [11 x i8] c"__CUDA_FTZ\\00"
@.odd = private unnamed_addr constant [4 x i8] c"odd\\00"
declare i32 @__nvvm_reflect(i8*)
declare i32 @llvm.nvvm.reflect.p0i8(i8*)
declare i8* @llvm.nvvm.ptr.constant.to.gen.p0i8.p4i8(i8 addrspace(4)*)
define i32 @f() {
  ${call}
  ret i32 %r
}`;

const array = "getelementptr inbounds ([12 x i8], [12 x i8]* @.str, i32 0, i32 0)";

test("reflect is folded by the string that its argument points to, through casts of every dialect", (t) => {
  const answer = (call: string): readonly string[] => returns(folded(reflecting(call)));
  t.deepEqual(answer(`%r = call i32 @__nvvm_reflect(i8* ${array})`), ["900"]);
  t.deepEqual(answer(`%r = call i32 @llvm.nvvm.reflect.p0i8(i8* bitcast ([12 x i8]* @.str to i8*))`), ["900"]);
  t.deepEqual(
    answer(
      `%p = call i8* @llvm.nvvm.ptr.constant.to.gen.p0i8.p4i8(i8 addrspace(4)* getelementptr inbounds ([11 x i8], [11 x i8] addrspace(4)* @.ftz, i32 0, i32 0))
  %r = call i32 @__nvvm_reflect(i8* %p)`,
    ),
    ["1"],
  );
  t.deepEqual(
    answer(
      `%r = call i32 @__nvvm_reflect(i8* addrspacecast (i8 addrspace(4)* getelementptr ([11 x i8], [11 x i8] addrspace(4)* @.ftz, i32 0, i32 0) to i8*))`,
    ),
    ["1"],
  );
  t.deepEqual(answer(`%r = call i32 @__nvvm_reflect(i8* getelementptr ([4 x i8], [4 x i8]* @.odd, i32 0, i32 0))`), [
    "0",
  ]);
  t.deepEqual(answer(`%r = call i32 @__nvvm_reflect(i8* null)`), ["call"]);
});

test("reflect of an opaque pointer", (t) => {
  const body = folded(`
@.str = private constant [16 x i8] c"__CUDA_PREC_DIV\\00"
declare i32 @__nvvm_reflect(ptr)
define i32 @f() {
  %r = call i32 @__nvvm_reflect(ptr @.str)
  ret i32 %r
}`);
  t.deepEqual(returns(body), ["0"]);
});

test("branches on it are folded, and blocks that only the other side reaches are dropped", (t) => {
  const body = folded(
    reflecting(`%a = call i32 @__nvvm_reflect(i8* ${array})
  %old = icmp slt i32 %a, 700
  br i1 %old, label %before, label %after
before:
  %b = call i32 @__nvvm_reflect(i8* null)
  br label %join
after:
  %wide = zext i32 %a to i64
  %more = add i64 %wide, 1
  switch i64 %more, label %before [ i64 901, label %join ]
join:
  %r = phi i32 [ %b, %before ], [ %a, %after ]`),
  );
  t.deepEqual(returns(body), ["900"]);
  const { order } = flowOf(body);
  t.deepEqual(
    order.map((index) => body.blocks[index]!.name),
    [undefined, "after", "join"],
  );
  t.true(order.every((index) => body.blocks[index]!.instructions.length === 1));
});

test("integers fold at their width; operations with a non-constant or undefined result stay", (t) => {
  const value = (lines: string): readonly string[] =>
    returns(folded(`define i8 @f(i8 %x, i1 %c) {\n  ${lines}\n  ret i8 %r\n}`));
  t.deepEqual(value("%r = add i8 127, 1"), ["-128"]);
  t.deepEqual(value("%a = sext i1 true to i8\n  %r = lshr i8 %a, 1"), ["127"]);
  t.deepEqual(value("%a = trunc i32 511 to i8\n  %r = select i1 false, i8 %x, i8 %a"), ["-1"]);
  t.deepEqual(value("%r = sdiv i8 1, 0"), ["sdiv"]);
  t.deepEqual(value("%r = mul i8 %x, 0"), ["mul"]);
  t.deepEqual(value("%r = and i8 %x, 0"), ["0"]);
  t.deepEqual(value("%r = or i8 %x, 0"), ["argument"]);
  t.deepEqual(value("%a = and i1 %c, true\n  %r = select i1 %a, i8 1, i8 2"), ["select"]);
});

test("a loop whose exit is unknown stays as it is", (t) => {
  const body = folded(`define i32 @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %out
out:
  ret i32 %i
}`);
  t.deepEqual(returns(body), ["phi"]);
  t.is(body.blocks[1]!.instructions.length, 4);
});

test("a module's flag sets whether subnormals are flushed, unless an option does", (t) => {
  const flag = (value: string): boolean | undefined =>
    ftzFlag(parse(`!llvm.module.flags = !{!0, !1}\n!0 = !{i32 1, !"other", i32 5}\n!1 = !{i32 4, !"${value}", i32 1}`));
  t.is(flag("nvvm-reflect-ftz"), true);
  t.is(flag("another"), undefined);
});
