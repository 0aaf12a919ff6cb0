define void @f(i32* %p) {
  %x = load i16, i32* %p
  ret void
}
; expected: nvvm-operand 2:23
