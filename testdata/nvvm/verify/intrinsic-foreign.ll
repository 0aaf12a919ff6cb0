declare i8* @llvm.returnaddress(i32)
; expected: nvvm-intrinsic 1:13
