define void @f(i32* %p) {
  %x = atomicrmw xor i32* %p, i32 1 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
