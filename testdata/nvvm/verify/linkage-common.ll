@v = common addrspace(1) global i32 7
; expected: nvvm-linkage 1:1
