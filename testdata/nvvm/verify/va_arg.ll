define void @f(i8** %p) {
  %x = va_arg i8** %p, i32
  ret void
}
!nvvmir.version = !{!0}
!0 = !{i32 1, i32 0}
; expected: nvvm-call 2:8
