source_filename = "typed.c"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

module asm ".global .u32 from_assembly;"

%0 = type { float, [3 x i16] }
%pair = type { i32, %pair* }
%packed = type <{ i8, i64 }>

$shared_group = comdat any

@counter = addrspace(1) global i32 7, align 4
@table = internal unnamed_addr addrspace(4) constant [4 x i32] [i32 1, i32 -2, i32 3, i32 4], align 16
@text = private unnamed_addr addrspace(4) constant [6 x i8] c"hello\00"
@raw = addrspace(1) global [3 x i8] c"\01\00\FF"
@zero = common addrspace(1) global [100 x double] zeroinitializer, align 8
@halves = addrspace(1) global [2 x half] [half 0xH3C00, half 0xHC000]
@wide = addrspace(1) global i128 -170141183460469231731687303715884105727
@nested = addrspace(1) global { i32, %0 } { i32 5, %0 { float 1.500000e+00, [3 x i16] [i16 1, i16 2, i16 3] } }
@first = addrspace(1) global %pair { i32 1, %pair* addrspacecast (%pair addrspace(1)* @second to %pair*) }
@second = addrspace(1) global %pair { i32 2, %pair* addrspacecast (%pair addrspace(1)* @first to %pair*) }
@inside = addrspace(1) global i32 addrspace(4)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(4)* @table, i64 0, i64 2)
@number = addrspace(1) global i64 ptrtoint (i32 addrspace(1)* @counter to i64)
@scratch = external addrspace(3) global [0 x i8], align 16
@part = linkonce_odr addrspace(1) global <4 x i32> <i32 1, i32 2, i32 undef, i32 4>, comdat($shared_group)
@0 = internal addrspace(1) global i8 undef

@other = alias i32, i32 addrspace(1)* @counter

; Function Attrs: nounwind readnone speculatable
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: nofree nosync nounwind readnone speculatable willreturn
declare void @llvm.dbg.value(metadata, metadata, metadata) #1

declare float @extern_function(float, ...)

declare void @structure(%pair* byval(%pair) align 8, i32* noalias nocapture readonly dereferenceable(16))

; Function Attrs: convergent nounwind
define ptx_kernel void @kernel(float addrspace(1)* nocapture %out, i32 %n) #2 !dbg !9 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !11, !range !12
  call void @llvm.dbg.value(metadata i32 %tid, metadata !13, metadata !DIExpression(DW_OP_plus_uconst, 3)), !dbg !11
  %small = icmp slt i32 %tid, %n, !dbg !15
  br i1 %small, label %loop, label %done, !dbg !15, !prof !17

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %added, %loop ]
  %scaled = sitofp i32 %i to float
  %added = fadd fast float %sum, %scaled
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %store, !llvm.loop !18

store:                                            ; preds = %loop
  %wide = zext i32 %tid to i64
  %place = getelementptr inbounds float, float addrspace(1)* %out, i64 %wide
  store float %added, float addrspace(1)* %place, align 4, !dbg !20
  br label %done

done:                                             ; preds = %store, %entry
  ret void, !dbg !23
}

define internal fastcc i64 @operations(i64 %a, i64 %b, double %x, <2 x float> %v, %pair %p, i8* %q) {
  %1 = sdiv exact i64 %a, %b
  %2 = shl nsw i64 %1, 3
  %3 = fneg nnan ninf double %x
  %4 = frem arcp double %3, 0x7FF8000000000000
  %5 = fcmp uno double %4, %x
  %6 = select i1 %5, i64 %2, i64 undef
  %7 = extractelement <2 x float> %v, i32 1
  %8 = insertelement <2 x float> %v, float %7, i32 0
  %9 = shufflevector <2 x float> %8, <2 x float> undef, <4 x i32> <i32 0, i32 undef, i32 1, i32 1>
  %10 = extractvalue %pair %p, 0
  %11 = insertvalue %pair %p, i32 %10, 0
  %12 = bitcast i8* %q to %packed*
  %13 = getelementptr %packed, %packed* %12, i32 1, i32 1
  %14 = load volatile i64, i64* %13, align 1
  %15 = freeze i64 %14
  %16 = call i64 asm sideeffect "add.s64 $0, $1, 1;", "=l,l,~{memory}"(i64 %15)
  %17 = alloca [4 x i32], i32 2, align 16
  %18 = alloca i32, align 4
  %19 = getelementptr [4 x i32], [4 x i32]* %17, i64 0, i64 %a
  store i32 3, i32* %19, align 4
  %20 = cmpxchg volatile i32* %18, i32 0, i32 %10 acq_rel monotonic, align 4
  %21 = extractvalue { i32, i1 } %20, 0
  %22 = atomicrmw umax i32* %18, i32 %21 syncscope("block") seq_cst, align 4
  %23 = load atomic i32, i32* %18 acquire, align 4
  store atomic i32 %23, i32* %18 syncscope("block") release, align 4
  fence syncscope("device") acq_rel
  %24 = call float (float, ...) @extern_function(float %7, i32 %22, double %4)
  switch i32 %22, label %loop [
    i32 0, label %stop
    i32 -1, label %stop
    i32 100000, label %loop
  ]

back:                                             ; preds = %loop
  %later = add i64 %6, %around
  %truth = icmp eq i64 %later, %around
  br label %loop

stop:                                             ; preds = %0, %0
  unreachable

loop:                                             ; preds = %back, %0, %0
  %around = phi i64 [ %6, %0 ], [ %6, %0 ], [ %later, %back ]
  %again = icmp sgt i64 %around, 9
  br i1 %again, label %back, label %out

out:                                              ; preds = %loop
  %25 = tail call i64 @llvm_user(i64 %around) #4
  ret i64 %25
}

; Function Attrs: noinline
define weak_odr i64 @llvm_user(i64 returned signext %x) local_unnamed_addr #3 section "code" align 32 {
  call void @structure(%pair* byval(%pair) align 8 null, i32* dereferenceable(16) undef) [ "note"(i64 %x) ]
  ret i64 %x
}

attributes #0 = { nounwind readnone speculatable }
attributes #1 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #2 = { convergent nounwind "nvvm.maxntid"="128" "target-cpu"="sm_70" }
attributes #3 = { noinline }
attributes #4 = { nounwind "bound"="memory" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4, !5}
!nvvm.annotations = !{!6, !7}
!nvvmir.version = !{!8}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "by hand", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "typed.c", directory: "/src")
!2 = !{}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!5 = !{i32 1, !"self", null}
!6 = !{void (float addrspace(1)*, i32)* @kernel, !"kernel", i32 1}
!7 = !{void (float addrspace(1)*, i32)* @kernel, !"maxntidx", i32 128}
!8 = !{i32 2, i32 0, i32 3, i32 1}
!9 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!10 = !DISubroutineType(types: !2)
!11 = !DILocation(line: 4, column: 9, scope: !9)
!12 = !{i32 0, i32 1024}
!13 = !DILocalVariable(name: "tid", scope: !9, file: !1, line: 4, type: !14)
!14 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!15 = !DILocation(line: 5, column: 7, scope: !16)
!16 = distinct !DILexicalBlock(scope: !9, file: !1, line: 4, column: 5)
!17 = !{!"branch_weights", i32 2000, i32 1}
!18 = distinct !{!18, !19}
!19 = !{!"llvm.loop.unroll.count", i32 1}
!20 = !DILocation(line: 2, column: 1, scope: !21, inlinedAt: !22)
!21 = distinct !DISubprogram(name: "inner", linkageName: "_Z5inner", scope: !1, file: !1, line: 1, type: !10, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!22 = distinct !DILocation(line: 7, column: 3, scope: !16)
!23 = !DILocation(line: 9, column: 1, scope: !9)
