define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"kernel", !"1"}
; expected: nvvm-annotation 5:32
