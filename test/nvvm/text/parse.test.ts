// Ordinary modules give the same tree in each of the three dialects; an error has a place and does not hide others.

import test from "ava";
import { createSink } from "../../../lib/diag/sink.js";
import type { Body } from "../../../lib/nvvm/ir/global.js";
import { fieldOf } from "../../../lib/nvvm/ir/metadata.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { typeText } from "../../../lib/nvvm/ir/type.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";

interface Read {
  readonly module: Module | undefined;
  readonly bodies: readonly (Body | undefined)[];
  /** `line:column code message`. */
  readonly faults: readonly string[];
}

function read(text: string): Read {
  const sink = createSink();
  const module = parseModule({ name: "a.ll", bytes: Buffer.from(text) }, sink);
  const bodies = (module?.functions ?? []).flatMap(({ body }) => (body === undefined ? [] : [body.read(sink)]));
  const faults = sink.all.map(({ code, message, place }) => `${place?.line}:${place?.column} ${code} ${message}`);
  return { module, bodies, faults };
}

/** Opcodes and types of all instructions. */
const instructionsOf = ({ bodies }: Read): readonly string[] =>
  bodies.flatMap((body) =>
    (body?.blocks ?? []).flatMap(({ instructions }) =>
      instructions.map(({ opcode, type }) => `${opcode} ${typeText(type)}`),
    ),
  );

const first = `
%pair = type { i32, float }
@g = addrspace(1) global i32 7, align 4
@s = internal addrspace(3) global [16 x i32] undef, align 4
@b = alias i32 addrspace(1)* @g
define void @k(i32* %p, i32 %n) nounwind {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %q = getelementptr inbounds i32* %p, i32 %i
  %v = load i32* %q, align 4
  %old = cmpxchg i32* %q, i32 %v, i32 1 seq_cst
  store i32 %old, i32* %q, align 4
  br label %exit
exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
!nvvm.annotations = !{!0}
!0 = metadata !{void (i32*, i32)* @k, metadata !"kernel", i32 1}
`;

test("dialect A: typed pointers, and the metadata keyword", (t) => {
  const result = read(first);
  t.deepEqual(result.faults, []);
  t.deepEqual(instructionsOf(result), [
    "call i32",
    "icmp i1",
    "br void",
    "getelementptr i32*",
    "load i32",
    "cmpxchg i32",
    "store void",
    "br void",
    "ret void",
  ]);
  const { module } = result;
  t.is(module?.spellings.first?.what, "an alias without a type of its own");
  t.is(module?.spellings.opaque, undefined);
  t.deepEqual(
    module?.variables.map(({ name, type }) => `${name} ${typeText(type)}`),
    ["g i32 addrspace(1)*", "s [16 x i32] addrspace(3)*"],
  );
  const [node] = module!.namedMetadata.get("nvvm.annotations")!.nodes;
  t.true(node?.kind === "node" && node.id === 0);
  const [of, what] = node?.kind === "node" ? node.operands : [];
  t.is(of?.kind === "value" ? of.value : undefined, module?.globals.get("k"));
  t.is(what?.kind === "string" ? what.text : undefined, "kernel");
});

test("dialect B: named types, unnamed values, forward references", (t) => {
  const result = read(`
source_filename = "b.cu"
target triple = "nvptx64-nvidia-cuda"
define linkonce_odr i32 @f(i32, i32* nocapture readonly dereferenceable(4)) local_unnamed_addr #0 {
  %3 = icmp eq i32 %0, 0
  br i1 %3, label %9, label %4
; <label>:4:
  %5 = phi i32 [ %7, %4 ], [ 0, %2 ]
  %6 = load i32, i32* %1, align 4, !tbaa !1
  %7 = add nuw nsw i32 %5, %6
  %8 = icmp slt i32 %7, %0
  br i1 %8, label %4, label %9
; <label>:9:
  %10 = phi i32 [ 0, %2 ], [ %7, %4 ]
  ret i32 %10
}
attributes #0 = { norecurse nounwind "target-cpu"="sm_70" }
!1 = !{!2, !2, i64 0}
!2 = distinct !{!2}
`);
  // In old text, labels of numbers are comments: blocks are numbered in order.
  t.deepEqual(result.faults, []);
  const [f] = result.module!.functions;
  t.deepEqual(
    f?.attributes.map(({ name, text }) => [name, text]),
    [
      ["norecurse", undefined],
      ["nounwind", undefined],
      ["target-cpu", "sm_70"],
    ],
  );
  const blocks = result.bodies[0]!.blocks;
  t.is(blocks.length, 3);
  const phi = blocks[1]!.instructions[0]!;
  t.true(phi.opcode === "phi" && phi.operands[0] === blocks[1]!.instructions[2] && phi.incoming[1] === blocks[0]);
});

test("dialect C: opaque pointers, debug records and newer keywords", (t) => {
  const result = read(`
@g = external addrspace(4) constant { i32, [2 x i8] }, align 8
define ptx_kernel void @k(ptr addrspace(1) noundef captures(none) %p, ptr byval(i64) align 8 %v) #0 !dbg !4 {
  %x = getelementptr inbounds nuw i8, ptr addrspace(1) %p, i64 4
    #dbg_value(ptr %v, !5, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_stack_value), !6)
  %y = load <2 x float>, ptr addrspace(1) %x, align 8, !dbg !6
  %z = fadd fast <2 x float> %y, splat (float 0x3FB99999A0000000), !dbg !6
  %w = atomicrmw fadd ptr addrspace(1) %p, float 1.0 syncscope("device") monotonic, align 4
  %o = or disjoint i32 1, 2
  %n = zext nneg i32 %o to i64
  store <2 x float> %z, ptr addrspace(1) %x, align 8
  ret void, !dbg !6
}
attributes #0 = { memory(argmem: readwrite) "nvvm.maxntid"="128" }
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug, splitDebugInlining: false)
!1 = !DIFile(filename: "k.cu", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !7, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DILocalVariable(name: "v", arg: 2, scope: !4, file: !1, line: 3, type: null)
!6 = !DILocation(line: 4, column: 5, scope: !4)
!7 = !DISubroutineType(types: !8)
!8 = !{null}
`);
  t.deepEqual(result.faults, []);
  t.deepEqual(instructionsOf(result), [
    "getelementptr ptr addrspace(1)",
    "load <2 x float>",
    "fadd <2 x float>",
    "atomicrmw float",
    "or i32",
    "zext i64",
    "store void",
    "ret void",
  ]);
  const [attachment] = result.bodies[0]!.blocks[0]!.instructions[1]!.attachments;
  const { node } = attachment!;
  t.is(attachment!.name, "dbg");
  t.is(node?.kind === "node" ? fieldOf(node, "line") : undefined, 4n);
});

test("a fault gives its place, the expected token and a suggestion, and hides no other", (t) => {
  const { faults } = read(`define void @f(i32 %a) {
  %x = ad i32 %a, 1
  %y = add i32 %x, 1
  br label %exti
exit:
  ret void
}
define void @g(i64 %b) {
  %r = mul i32 %b, 2
  ret void
}
define void @h() {
  call void @ff(i32 1)
  ret void
}
declare void @f2(i32
declare void @f3(i32)
`);
  t.deepEqual(faults, ["17:1 nvvm-syntax expected ')' after 'i32' but found 'declare'"]);
});

test("faults in bodies", (t) => {
  const { faults } = read(`define void @f(i32 %a) {
  %x = ad i32 %a, 1
  %y = add i32 %x, 1
  store i32 %y i32* null
  ret void
}
define void @g(i64 %b) {
  %r = mul i32 %b, 2
  br label %exti
exit:
  ret void
}
define void @h() {
  call void @g2(i32 1)
  ret void
}
`);
  t.deepEqual(faults, [
    "2:8 nvvm-syntax expected an instruction after '=' but found 'ad'",
    "4:16 nvvm-syntax expected ',' and a pointer operand after '%y' but found 'i32'",
    "8:16 nvvm-mismatch %b is of type i64, but used as i32",
    "9:12 nvvm-undefined there is no block %exti in this function",
    "14:13 nvvm-undefined @g2 is used, but declared nowhere",
  ]);
});

test("a module uses one spelling of pointers", (t) => {
  t.deepEqual(read("declare void @f(ptr, i32*)\n").faults, [
    "1:25 nvvm-dialect the pointer is written 'T*' in a module whose pointers are 'ptr'",
  ]);
  t.deepEqual(read('declare void @f(ptr)\n!0 = metadata !{metadata !"x"}\n').faults, [
    "2:6 nvvm-dialect 'metadata' before metadata is a spelling of NVVM IR 1.0, and 'ptr' of LLVM 15 and later",
  ]);
});
