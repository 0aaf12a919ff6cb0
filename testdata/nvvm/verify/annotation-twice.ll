define void @k() {
  ret void
}
!nvvm.annotations = !{!0, !1, !2}
!0 = !{void ()* @k, !"kernel", i32 1}
!1 = !{void ()* @k, !"maxntidx", i32 64}
!2 = !{void ()* @k, !"maxntidx", i32 128}
; expected: nvvm-annotation 7:21
