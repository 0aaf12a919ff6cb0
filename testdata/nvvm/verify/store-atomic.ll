define void @f(i32* %p) {
  store atomic i32 0, i32* %p release, align 4
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:9
