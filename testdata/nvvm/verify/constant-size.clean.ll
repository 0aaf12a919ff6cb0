@a = addrspace(4) constant [8192 x i32] zeroinitializer
@b = addrspace(4) constant [8192 x i32] zeroinitializer
