define void @f(float %a) {
  %x = fadd float %a, %a
  ret void
}
