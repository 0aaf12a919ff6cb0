define void @f() {
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
