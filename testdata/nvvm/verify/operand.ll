define void @f(float %a) {
  %x = add float %a, %a
  ret void
}
; expected: nvvm-operand 2:18
