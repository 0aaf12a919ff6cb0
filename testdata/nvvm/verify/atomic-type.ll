define void @f(i16* %p) {
  %x = atomicrmw add i16* %p, i16 1 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:35
