@llvm.things = addrspace(1) global i32 0
; expected: nvvm-name 1:1
