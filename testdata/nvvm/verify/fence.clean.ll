define void @f() {
  fence seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
