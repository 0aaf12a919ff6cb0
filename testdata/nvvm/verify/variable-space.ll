@v = addrspace(5) global i32 0
; expected: nvvm-space 1:6
