@v = external addrspace(1) global i32
