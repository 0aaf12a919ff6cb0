define void @f() nounwind noredzone {
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-attribute 1:27
