define i32 @f(i1 %c, i32 %a) {
entry:
  br i1 %c, label %then, label %end
then:
  %x = add i32 %a, 1
  br label %end
end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  ret i32 %y
}
