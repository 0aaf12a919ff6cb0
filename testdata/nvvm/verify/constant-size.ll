@a = addrspace(4) constant [8192 x i32] zeroinitializer
@b = addrspace(4) constant [8193 x i32] zeroinitializer
; expected: nvvm-limit 2:1
