declare i32 @llvm.nvvm.barrier0.popc(i64)
; expected: nvvm-intrinsic 1:13
