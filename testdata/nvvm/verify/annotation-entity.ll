@v = addrspace(1) global i64 0
!nvvm.annotations = !{!0}
!0 = !{i64 addrspace(1)* @v, !"kernel", i32 1}
; expected: nvvm-annotation 3:30
