declare void @f(i32)
!nvvm.annotations = !{!0}
!0 = !{void (i32)* @f, !"align", i32 65544}
; expected: nvvm-align 3:34
