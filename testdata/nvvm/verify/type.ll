define void @f(float %x) {
  %h = fptrunc float %x to half
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-type 2:28
