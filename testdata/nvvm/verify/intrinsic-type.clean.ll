declare i64 @llvm.bswap.i64(i64)
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
