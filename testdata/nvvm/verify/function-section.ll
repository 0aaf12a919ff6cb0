define void @f() section "text" {
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-unsupported 1:18
