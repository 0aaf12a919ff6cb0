define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"kernel"}
; expected: nvvm-annotation 5:21
