define void @k() {
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void ()* @k, !"maxntidx", i32 64}
; expected: nvvm-no-kernel 5:21
