define void @f(float* %p) {
  %x = atomicrmw fadd float* %p, float 1.0 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:18
