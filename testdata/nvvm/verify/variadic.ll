define void @f(i8* %s, ...) {
  ret void
}
; expected: nvvm-call 1:24
