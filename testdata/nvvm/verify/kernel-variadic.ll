declare ptx_kernel void @k(i32, ...)
; expected: nvvm-annotation 1:25
