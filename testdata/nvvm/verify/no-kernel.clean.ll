define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"maxntidx", i32 64, !"kernel", i32 1}
