define i32 @f(i32 %a) {
entry:
  br label %b
b:
  %y = phi i32 [ %a, %entry ]
  %x = add i32 %a, 1
  ret i32 %y
}
