define i32 @f(i32 %a, i1 %t) {
entry:
  br i1 %t, label %b, label %c
b:
  %y = phi i32 [ %a, %entry ]
  ret i32 %y
c:
  br label %b
}
; expected: nvvm-ssa 5:8
