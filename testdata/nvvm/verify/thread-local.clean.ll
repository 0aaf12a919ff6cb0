@v = addrspace(1) global i32 0
