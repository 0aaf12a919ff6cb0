!nvvmir.version = !{!0}
!0 = !{i32 4, i32 0}
; expected: nvvm-version 2:1
