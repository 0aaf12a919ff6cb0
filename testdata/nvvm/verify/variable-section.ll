@v = addrspace(1) global i32 0, section ".data"
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
; expected: nvvm-unsupported 1:33
