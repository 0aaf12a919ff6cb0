define void @f(float %x) {
  %h = fptrunc float %x to half
  ret void
}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
