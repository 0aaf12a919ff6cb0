@v = thread_local addrspace(1) global i32 0
; expected: nvvm-unsupported 1:6
