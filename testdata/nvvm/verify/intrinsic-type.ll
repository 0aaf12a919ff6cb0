declare i128 @llvm.bswap.i128(i128)
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-intrinsic 1:14
