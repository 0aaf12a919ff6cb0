declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
