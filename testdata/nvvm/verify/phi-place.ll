define i32 @f(i32 %a) {
entry:
  br label %b
b:
  %x = add i32 %a, 1
  %y = phi i32 [ %a, %entry ]
  ret i32 %y
}
; expected: nvvm-ssa 6:8
