@v = addrspace(1) global i32 0
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
