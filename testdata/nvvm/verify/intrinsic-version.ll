declare float @llvm.sin.f32(float)
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-intrinsic 1:15
