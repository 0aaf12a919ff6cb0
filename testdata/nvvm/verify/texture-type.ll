@t = addrspace(1) global i32 0
!nvvm.annotations = !{!0}
!0 = !{i32 addrspace(1)* @t, !"texture", i32 1}
; expected: nvvm-texture 1:1
