define i32 @f(i32 %a) {
  %x.y = add i32 %a, 1
  ret i32 %x.y
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
