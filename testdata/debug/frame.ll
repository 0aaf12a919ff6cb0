; Variables of a frame as LLVM describes them; llc 14 compiles it (README.md).
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
define void @k(float* %out, i32 %n) !dbg !6 {
entry:
  %x = alloca i32, align 4
  %arr = alloca [3 x i32], align 4
  %n.addr = alloca i32
  store i32 %n, i32* %n.addr
  call void @llvm.dbg.declare(metadata i32* %n.addr, metadata !15, metadata !DIExpression()), !dbg !14
  call void @llvm.dbg.declare(metadata i32* %x, metadata !12, metadata !DIExpression()), !dbg !14
  call void @llvm.dbg.declare(metadata [3 x i32]* %arr, metadata !17, metadata !DIExpression()), !dbg !14
  %v = load i32, i32* %n.addr
  call void @llvm.dbg.value(metadata i32 %v, metadata !20, metadata !DIExpression()), !dbg !14
  %m = mul i32 %v, 3, !dbg !21
  store volatile i32 %m, i32* %x, !dbg !21
  %p = getelementptr [3 x i32], [3 x i32]* %arr, i32 0, i32 %v
  store volatile i32 %v, i32* %p, !dbg !22
  %f = sitofp i32 %m to float
  store float %f, float* %out, !dbg !22
  ret void, !dbg !22
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!nvvm.annotations = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "clang", isOptimized: false, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "l.cu", directory: "")
!2 = !{}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{void (float*, i32)* @k, !"kernel", i32 1}
!6 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 1, type: !7, unit: !0, retainedNodes: !2)
!7 = !DISubroutineType(types: !8)
!8 = !{null, !9, !11}
!9 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)
!10 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!11 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!12 = !DILocalVariable(name: "x", scope: !6, file: !1, line: 3, type: !11)
!14 = !DILocation(line: 3, column: 3, scope: !6)
!15 = !DILocalVariable(name: "n", arg: 2, scope: !6, file: !1, line: 1, type: !11)
!17 = !DILocalVariable(name: "arr", scope: !6, file: !1, line: 4, type: !18)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !11, size: 96, elements: !19)
!19 = !{!DISubrange(count: 3)}
!20 = !DILocalVariable(name: "v", scope: !6, file: !1, line: 5, type: !11)
!21 = !DILocation(line: 6, column: 3, scope: !6)
!22 = !DILocation(line: 7, column: 3, scope: !6)
