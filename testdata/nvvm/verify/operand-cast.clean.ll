define void @f(i32 %a) {
  %x = zext i32 %a to i64
  ret void
}
