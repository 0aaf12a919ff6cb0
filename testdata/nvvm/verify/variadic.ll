define void @f(i8* %s, ...) {
  ret void
}
!nvvmir.version = !{!0}
!0 = !{i32 1, i32 0}
; expected: nvvm-call 1:24
