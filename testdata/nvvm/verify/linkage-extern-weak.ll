@v = extern_weak addrspace(1) global i32
; expected: nvvm-linkage 1:6
