define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{!"kernel", i32 1}
; expected: nvvm-annotation 5:8
