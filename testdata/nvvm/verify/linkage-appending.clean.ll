@v = internal addrspace(1) global [1 x i32] zeroinitializer
