define void @f(i32 %a) {
  %x = trunc i32 %a to i64
  ret void
}
; expected: nvvm-operand 2:18
