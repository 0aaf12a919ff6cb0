@v = addrspace(3) global i32 1
; expected: nvvm-initializer 1:1
