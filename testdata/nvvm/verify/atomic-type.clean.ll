define void @f(i64* %p) {
  %x = atomicrmw add i64* %p, i64 1 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
