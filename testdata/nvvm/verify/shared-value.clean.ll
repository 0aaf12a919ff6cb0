@v = addrspace(3) global i32 undef
