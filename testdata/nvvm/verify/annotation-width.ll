define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = metadata !{void ()* @k, metadata !"kernel", i64 1}
; expected: nvvm-annotation 5:50
