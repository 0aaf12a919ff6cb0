@x = addrspace(1) global i32 0
@llvm.used = appending global i32 0, section "llvm.metadata"
; expected: nvvm-type 2:1
