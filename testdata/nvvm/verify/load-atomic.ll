define void @f(i32* %p) {
  %x = load atomic i32* %p seq_cst, align 4
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:13
