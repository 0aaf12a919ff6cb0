define i32 @f() {
  ret i64 0
}
; expected: nvvm-operand 2:11
