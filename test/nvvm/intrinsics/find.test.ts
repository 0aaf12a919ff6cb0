// Looks up intrinsics by name, with their types, and suggests the nearest name for a wrong one.

import test from "ava";
import { findIntrinsic, nearIntrinsics, templateFor } from "../../../lib/nvvm/intrinsics/find.js";
import { signatureFault } from "../../../lib/nvvm/intrinsics/signature.js";
import { defaultFloatOptions, fillTemplate } from "../../../lib/nvvm/intrinsics/template.js";
import { createTypes } from "../../../lib/nvvm/ir/type-table.js";
import { diagnosticsOf } from "../verify/support.js";

const types = createTypes();
const i1 = types.integer(1);
const i32 = types.integer(32);
const i64 = types.integer(64);
const f32 = types.float("float");

test("an overloaded name is found with and without its types", (t) => {
  t.is(findIntrinsic("llvm.ctpop.i32")?.suffix, ".i32");
  t.is(findIntrinsic("llvm.memcpy.p0i8.p1i8.i64")?.suffix, ".p0i8.p1i8.i64");
  t.is(findIntrinsic("llvm.memcpy.p0.p3.i32")?.row.does, "memcpy");
  t.is(findIntrinsic("llvm.sqrt.v4f32")?.row.name, "sqrt*");
  t.is(findIntrinsic("llvm.masked.load.v4i32.p0v4i32")?.row.does, "masked.load");
  t.is(findIntrinsic("llvm.nvvm.ldg.global.f.v2f32.p1v2f32")?.row.does, "ldg");
});

test("a suffix that the intrinsic does not have is another name", (t) => {
  t.is(findIntrinsic("llvm.nvvm.fma.rq.f"), undefined);
  t.is(findIntrinsic("llvm.nvvm.barrier0.i32"), undefined);
  t.is(findIntrinsic("llvm.ctpop.everything"), undefined);
  t.is(findIntrinsic("llvm.nvvm."), undefined);
  t.is(findIntrinsic("llvm."), undefined);
  t.is(findIntrinsic("ctpop.i32"), undefined);
});

test("the specification's misprinted names are listed as its own", (t) => {
  const printed = findIntrinsic("llvm.nvvm.texsurf.handle.pli64");
  t.is(printed?.row, findIntrinsic("llvm.nvvm.texsurf.handle.p1i64")?.row);
  t.true(printed?.misprint);
  t.false(findIntrinsic("llvm.nvvm.texsurf.handle.p1i64")?.misprint);
  t.true(findIntrinsic("llvm.nvvm.ptr.gen.to.global.plf32.p0f32")?.misprint);
});

test("a misspelt name gets suggestions", (t) => {
  t.true(nearIntrinsics("llvm.nvvm.barrier1").includes("llvm.nvvm.barrier0"));
  t.true(nearIntrinsics("llvm.nvvm.read.ptx.sreg.tidx").includes("llvm.nvvm.read.ptx.sreg.tid.x"));
});

test("a mismatch with a signature is located at its type", (t) => {
  const fault = (name: string, result: Parameters<typeof types.function>[0], ...parameters: (typeof i32)[]) =>
    signatureFault(types.function(result, parameters), findIntrinsic(name)!.signature);
  t.is(fault("llvm.ctpop.i32", i32, i32), undefined);
  t.deepEqual(fault("llvm.ctpop.i32", i64, i32)?.kind, "result");
  t.deepEqual(fault("llvm.ctlz.i32", i32, i32), undefined);
  t.deepEqual(fault("llvm.ctlz.i32", i32, i32, i1), undefined);
  t.deepEqual(fault("llvm.ctlz.i32", i32, i32, i1, i1)?.kind, "count");
  t.like(fault("llvm.nvvm.barrier0.and", i32, i64), { kind: "parameter", index: 0, wanted: "i32" });
  t.is(fault("llvm.sadd.with.overflow.i32", types.struct([i32, i1]), i32, i32), undefined);
  t.is(fault("llvm.sadd.with.overflow.i32", types.struct([i32, i32]), i32, i32)?.kind, "result");
  const four = types.vector(4, i32);
  const overflow = types.struct([four, types.vector(4, i1)]);
  t.is(
    signatureFault(types.function(overflow, [four, four]), findIntrinsic("llvm.uadd.with.overflow.v4i32")!.signature),
    undefined,
  );
});

test("a template is selected by type and filled in by options", (t) => {
  const sqrt = findIntrinsic("llvm.sqrt.f32")!;
  const template = templateFor(sqrt, types.function(f32, [f32]));
  const operands = { arguments: ["%a"], results: ["%d"], spaces: [""], pointerBits: 64 };
  t.deepEqual(fillTemplate(template!, operands, defaultFloatOptions), ["sqrt.rn.f32 %d, %a;"]);
  const fast = { ftz: true, precSqrt: false, precDiv: true };
  t.deepEqual(fillTemplate(template!, operands, fast), ["sqrt.rn.ftz.f32 %d, %a;"]);
  const half = types.float("half");
  t.is(templateFor(findIntrinsic("llvm.sqrt.f16")!, types.function(half, [half])), undefined);
});

test("a scope, a state space and a constant argument are filled in", (t) => {
  const fill = (name: string, values: readonly string[], results: readonly string[], spaces: readonly string[] = []) =>
    fillTemplate(
      findIntrinsic(name)!.ptx as string,
      { arguments: values, results, spaces, pointerBits: 64 },
      defaultFloatOptions,
    );
  t.deepEqual(fill("llvm.nvvm.d2i.hi", ["%a"], ["%d"]), ["{", ".reg .b32 %t;", "mov.b64 {%t, %d}, %a;", "}"]);
  t.deepEqual(fill("llvm.nvvm.atomic.load.inc.32.p3i32", ["%p", "%v"], ["%d"], ["shared", ""]), [
    "atom.shared.inc.u32 %d, [%p], %v;",
  ]);
  const prefetch = "llvm.nvvm.cp.async.bulk.prefetch.L2";
  t.deepEqual(fill(prefetch, ["%p", "%n", "%h", "0"], []), ["cp.async.bulk.prefetch.L2.global [%p], %n;"]);
  t.deepEqual(fill(prefetch, ["%p", "%n", "%h", "1"], []), [
    "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%p], %n, %h;",
  ]);
});

test("intrinsics without a PTX equivalent are refused with the reason", (t) => {
  for (const [name, why] of [
    ["double @llvm.nvvm.ex2.approx.d(double)", "PTX has the approximation for float and half only"],
    ["void @llvm.nvvm.sust.p.1d.i8.trap(i64, i32, i16)", "formatted stores require elements of 32 bits"],
  ] as const) {
    const [first] = diagnosticsOf(`declare ${name}\n`);
    t.is(first?.code, "nvvm-intrinsic");
    t.true(first!.message.includes(why), first!.message);
  }
  t.is(findIntrinsic("llvm.nvvm.stacksave.p5")?.row.does, "stacksave");
});
