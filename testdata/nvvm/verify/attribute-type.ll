define void @f(float zeroext %x) {
  ret void
}
; expected: nvvm-attribute 1:22
