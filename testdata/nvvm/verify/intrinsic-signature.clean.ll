declare i32 @llvm.nvvm.barrier0.popc(i32)
