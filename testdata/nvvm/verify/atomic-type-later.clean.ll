define void @f(i16* %p) {
  %x = atomicrmw add i16* %p, i16 1 seq_cst
  ret void
}
