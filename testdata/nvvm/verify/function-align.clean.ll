define void @f() align 16 {
  ret void
}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
