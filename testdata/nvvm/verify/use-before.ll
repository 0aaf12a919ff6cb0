define i32 @f(i32 %a) {
  %y = add i32 %x, 1
  %x = add i32 %a, 1
  ret i32 %y
}
; expected: nvvm-ssa 2:16
