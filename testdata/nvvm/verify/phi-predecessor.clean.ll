define i32 @f(i32 %a) {
entry:
  br label %b
b:
  %y = phi i32 [ %a, %entry ], [ %a, %c ]
  ret i32 %y
c:
  br label %b
}
