define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"kernel", i64 1}
; expected: nvvm-annotation 5:32
