@v = dllexport addrspace(1) global i32 0
; expected: nvvm-linkage 1:6
