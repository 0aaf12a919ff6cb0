// Modules that together have every construct of the grammar, in the three dialects.

export const dialectA = `; a comment with a { brace and a " quote
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-unknown-cuda"
%pair = type { i32, float }
%node = type { i32, %node* }
%packed = type <{ i8, i32 }>
%hidden = type opaque
%word = type i32
@g = addrspace(1) global i32 7, align 4
@s = internal addrspace(3) global [16 x i32] undef, align 4
@t = addrspace(1) global i64 0
@text = private unnamed_addr constant [6 x i8] c"a\\22b;\\0A\\00", align 1
@p = addrspace(1) global i8 addrspace(1)* bitcast (i32 addrspace(1)* @g to i8 addrspace(1)*)
@q = addrspace(1) global i32 addrspace(1)* getelementptr inbounds ([4 x i32] addrspace(1)* @later, i32 0, i64 2)
@later = addrspace(1) global [4 x i32] [i32 1, i32 -2, i32 3, i32 4]
@u = linker_private global %pair { i32 1, float 2.5 }
@v = weak global <2 x i16> <i16 1, i16 2>
@b = alias weak i32 addrspace(1)* @g
@"odd name\\21" = common global i32 zeroinitializer
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (i32*, i32)* @k to i8*)], section "llvm.metadata"
module asm ".extern .func x;"
define void @k(i32* nocapture %p, i32 %n) nounwind {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
  %c = icmp ult i32 %i, %n
  br i1 %c, label %body, label %exit, !pragma !4
body:
  %q = getelementptr inbounds i32* %p, i32 %i
  %v = load volatile i32* %q, align 4
  %old = cmpxchg i32* %q, i32 %v, i32 1 seq_cst
  %sum = atomicrmw volatile umax i32* %q, i32 %old singlethread acq_rel
  store i32 %sum, i32* %q, align 4
  %r = call i32 (i8*, ...)* @vf(i8* null, double 1.0)
  call void @llvm.dbg.value(metadata !{i32 %r}, i64 0, metadata !3)
  %f = fdiv double 0x3FF0000000000000, 1.5e-3
  %h = call %pair %fp(%pair* byval align 8 undef), !callalign !2
  br label %exit
exit:
  ret void
dead:
  %fp = load %pair (%pair*)** undef
  unwind
}
define float @m(float, float) alwaysinline {
  %3 = fcmp olt float %0, %1
  %4 = select i1 %3, float %0, float %1
  switch i32 7, label %7 [ i32 1, label %5
    i32 2, label %6 ]
; <label>:5
  unreachable
; <label>:6
  ret float %4
; <label>:7
  %8 = call float asm sideeffect "add.f32 $0, $1, 0f3F800000;", "=f,f"(float %4), !srcloc !2
  ret float %8
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind readnone
declare i32 @vf(i8*, ...)
declare void @llvm.dbg.value(metadata, i64, metadata)
!nvvm.annotations = !{!0, !1}
!nvvmir.version = !{!5}
!0 = metadata !{void (i32*, i32)* @k, metadata !"kernel", i32 1}
!1 = metadata !{i64 addrspace(1)* @t, metadata !"texture", i32 1}
!2 = metadata !{i32 8, i32 520}
!3 = metadata !{i32 786688, null, metadata !"r"}
!4 = metadata !{metadata !"unroll", i32 4}
!5 = metadata !{i32 1, i32 0}
`;

export const dialectB = `source_filename = "b.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
$f = comdat any
%0 = type { i8, [3 x <2 x float>], i32 (i8*, ...)* }
@0 = private unnamed_addr constant [2 x i8] c"%\\00"
@table = internal unnamed_addr addrspace(4) constant [2 x i32 (i32)*] [i32 (i32)* @f, i32 (i32)* null], align 8
@w = external local_unnamed_addr global %0, align 16
@x = thread_local(initialexec) global { half, i24, x86_fp80 } { half 0xH3C00, i24 -1, x86_fp80 0xK3FFF8000000000000000 }
@y = dso_local externally_initialized global fp128 0xL00000000000000003FFF000000000000, section "data", comdat($f), align 16, !dbg !9
@a = weak_odr hidden alias i32 (i32), i32 (i32)* @f
@d = global i64 sub (i64 ptrtoint (i32* getelementptr (i32, i32* null, i32 1) to i64), i64 add nsw (i64 1, i64 2))
@e = global i1 icmp eq (i8* blockaddress(@f, %loop), i8* inttoptr (i64 8 to i8*))
define linkonce_odr i32 @f(i32 signext %n) local_unnamed_addr #0 comdat align 16 gc "none" personality i32 (...)* @pers !dbg !5 {
  %1 = alloca i32, i32 4, align 4
  %2 = alloca [2 x i32]
  br label %loop
loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 1
  %3 = getelementptr inbounds i32, i32* %1, i32 %i
  %4 = load atomic i32, i32* %3 syncscope("device") acquire, align 4, !dbg !7, !tbaa !3
  store atomic volatile i32 %4, i32* %1 release, align 4
  fence syncscope("block") seq_cst
  %5 = cmpxchg weak i32* %1, i32 0, i32 %4 acq_rel monotonic
  %6 = extractvalue { i32, i1 } %5, 1
  %7 = insertvalue { i32, [2 x i1] } undef, i1 %6, 1, 0
  %8 = insertelement <4 x i32> undef, i32 %4, i32 0
  %9 = shufflevector <4 x i32> %8, <4 x i32> undef, <4 x i32> zeroinitializer
  %10 = extractelement <4 x i32> %9, i64 1
  %11 = bitcast [2 x i32]* %2 to i8*
  %12 = addrspacecast i8* %11 to i8 addrspace(5)*
  %13 = fneg fast double 1.0
  %14 = freeze double %13
  %15 = fptosi double %14 to i32
  %16 = udiv exact i32 %15, 3
  %"quoted \\22name" = trunc i32 %16 to i1
  br i1 %"quoted \\22name", label %loop, label %done, !llvm.loop !4
done:
  %17 = tail call fastcc i32 @g(i32 zeroext %10, i8* nonnull dereferenceable(4) %11) #1 [ "deopt"(i32 1) ]
  %18 = musttail call i32 %fp(i32 %17)
  ret i32 %18
more:
  %19 = va_arg i8** undef, i32
  indirectbr i8* null, [label %loop, label %done]
; <label>:20
  %21 = invoke i32 @g(i32 1, i8* null) to label %done unwind label %pad
pad:
  %22 = landingpad { i8*, i32 } cleanup catch i8* null filter [1 x i8*] zeroinitializer
  resume { i8*, i32 } %22
other:
  %fp = load i32 (i32)*, i32 (i32)** undef
  unreachable
  uselistorder i32 %n, { 1, 0 }
}
declare i32 @pers(...)
declare fastcc i32 @g(i32, i8* nocapture readonly) unnamed_addr #1
attributes #0 = { norecurse nounwind "less-precise-fpmad"="false" "target-cpu"="sm_70" }
attributes #1 = { nounwind readnone align=8 alignstack=16 }
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, isOptimized: true, emissionKind: FullDebug)
!2 = !DIFile(filename: "b.cu", directory: "/src")
!3 = !{!8, !8, i64 0}
!4 = distinct !{!4, !6}
!5 = distinct !DISubprogram(name: "f", file: !2, line: 3, flags: DIFlagPrototyped | DIFlagPublic, unit: !1)
!6 = !{!"llvm.loop.unroll.count", i32 4}
!7 = !DILocation(line: 4, column: 5, scope: !5, inlinedAt: !DILocation(line: 1, scope: !5))
!8 = !{!"int", !{}, !"tbaa\\00"}
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression(DW_OP_constu, 7, DW_OP_stack_value))
!10 = distinct !DIGlobalVariable(name: "y", scope: !1, file: !2, line: 1, isLocal: false, isDefinition: true)
^0 = module: (path: "b.o", hash: (0, 0, 0, 0, 0))
^1 = gv: (name: "f") ; guid = 1
`;

export const dialectC = `source_filename = "c.cu"
target triple = "nvptx64-nvidia-cuda"
@g = external addrspace(4) constant { i32, [2 x i8] }, align 8
@p = global [2 x ptr] [ptr @k, ptr getelementptr inbounds nuw (i8, ptr @p, i64 8)], align 8
@h = addrspace(3) global bfloat poison, no_sanitize_address
@i = ifunc void (), ptr @resolve
define ptx_kernel void @k(ptr addrspace(1) noundef captures(none) initializes((0, 4)) %p, ptr byval(i64) align 8 %v, <vscale x 2 x i32> %w) addrspace(0) #0 !dbg !4 {
  %x = getelementptr inbounds nuw i8, ptr addrspace(1) %p, i64 4
    #dbg_value(ptr %v, !5, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_stack_value), !6)
  %y = load <2 x float>, ptr addrspace(1) %x, align 8, !dbg !6, !range !8
  %z = fadd reassoc nnan ninf nsz arcp contract afn <2 x float> %y, splat (float 0x3FB99999A0000000), !dbg !6
  %a = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 1 syncscope("device") monotonic, align 4
  %o = or disjoint i32 %a, 2
  %n = zext nneg i32 %o to i64
  %t = trunc nuw nsw i64 %n to i8
  %u = icmp samesign ult i8 %t, u0x7F
  %s = fcmp contract une half 0xH0000, 0xH3C00
  %b = fptrunc float 1.0 to bfloat
  store <2 x float> %z, ptr addrspace(1) %x, align 8
  %r = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.memcpy.p0.p1.i64(ptr align 4 %v, ptr addrspace(1) align 4 dereferenceable(8) %p, i64 8, i1 false), !dbg !6
  call void asm sideeffect "bar.sync 0;", "~{memory}"() #1
  call void (ptr, ...) @vprintf(ptr null, i32 %r)
  call void @md(metadata ptr %v, metadata !6, metadata !DIExpression(), metadata !"round.tonearest", metadata i32 1)
  ret void, !dbg !6
}
define void @resolve() {
  /* a comment of another kind { */
  ret void
}
declare !dbg !4 noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare void @llvm.memcpy.p0.p1.i64(ptr noalias writeonly captures(none), ptr addrspace(1) noalias readonly, i64, i1 immarg)
declare void @vprintf(ptr, ...)
declare void @md(metadata, metadata, metadata, metadata, metadata)
attributes #0 = { mustprogress memory(argmem: readwrite, inaccessiblemem: none) vscale_range(1,16) "nvvm.maxntid"="128" }
attributes #1 = { nounwind willreturn allockind("alloc,zeroed") allocsize(0,1) }
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug, splitDebugInlining: false)
!1 = !DIFile(filename: "k.cu", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !7, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DILocalVariable(name: "v", arg: 2, scope: !4, file: !1, line: 3, type: null)
!6 = !DILocation(line: 4, column: 5, scope: !4)
!7 = !DISubroutineType(types: !{null, null})
!8 = !{float 0.0, float 1.0}
`;

export const modules: readonly (readonly [name: string, text: string])[] = [
  ["A", dialectA],
  ["B", dialectB],
  ["C", dialectC],
];
