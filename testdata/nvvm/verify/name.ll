@a.b = addrspace(1) global i32 0
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-name 1:1
