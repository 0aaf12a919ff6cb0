!nvvmir.version = !{!0}
!0 = !{i32 3, i32 2}
