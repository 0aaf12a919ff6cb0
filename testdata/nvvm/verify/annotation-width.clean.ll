define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"kernel", i64 1}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
