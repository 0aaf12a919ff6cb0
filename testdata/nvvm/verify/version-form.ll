!nvvmir.version = !{!0}
!0 = !{i32 2}
; expected: nvvm-version 2:1
