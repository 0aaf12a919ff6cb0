define void @f(i8** %p) {
  %x = va_arg i8** %p, i32
  ret void
}
; expected: nvvm-call 2:8
