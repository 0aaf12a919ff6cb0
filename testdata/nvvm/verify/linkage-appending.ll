@v = appending addrspace(1) global [1 x i32] zeroinitializer
; expected: nvvm-linkage 1:6
