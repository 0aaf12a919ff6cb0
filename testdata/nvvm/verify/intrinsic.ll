declare i32 @llvm.nvvm.read.ptx.sreg.tidx()
; expected: nvvm-intrinsic 1:13
