define void @f(i16 zeroext signext %x) {
  ret void
}
; expected: nvvm-attribute 1:28
