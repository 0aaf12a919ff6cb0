define void @f(i24* %p) {
  %x = atomicrmw add i24* %p, i24 1 seq_cst
  ret void
}
; expected: nvvm-atomic 2:35
