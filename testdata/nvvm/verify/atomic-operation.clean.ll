define void @f(float* %p) {
  %x = atomicrmw fadd float* %p, float 1.0 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
