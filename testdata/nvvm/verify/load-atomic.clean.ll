define void @f(i32* %p) {
  %x = load volatile i32* %p, align 4
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
