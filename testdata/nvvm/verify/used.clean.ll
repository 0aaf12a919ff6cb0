@x = addrspace(1) global i32 0
@llvm.used = appending global [1 x i8*] [i8* bitcast (i32* addrspacecast (i32 addrspace(1)* @x to i32*) to i8*)], section "llvm.metadata"
