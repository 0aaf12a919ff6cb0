!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0, i32 3, i32 1}
