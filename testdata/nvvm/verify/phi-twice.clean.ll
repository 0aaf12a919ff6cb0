define i32 @f(i32 %a) {
entry:
  switch i32 %a, label %b [ i32 1, label %b ]
b:
  %y = phi i32 [ 1, %entry ], [ 1, %entry ]
  ret i32 %y
}
