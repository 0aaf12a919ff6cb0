define void @f(i32 %n) {
  %x = alloca i32, i32 4
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
