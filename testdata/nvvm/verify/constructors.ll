@llvm.global_ctors = appending global [1 x i32] [i32 0]
; expected: nvvm-unsupported 1:1
