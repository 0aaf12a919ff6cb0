@things = addrspace(1) global i32 0
