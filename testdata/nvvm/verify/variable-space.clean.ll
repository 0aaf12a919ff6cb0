@v = addrspace(4) global i32 0
