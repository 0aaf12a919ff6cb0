define void @f() {
  fence seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:3
