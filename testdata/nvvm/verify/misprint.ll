declare i64 @llvm.nvvm.texsurf.handle.pli64(metadata, i64 addrspace(1)*)
; expected: nvvm-misprint 1:13
