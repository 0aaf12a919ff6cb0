define void @f(i32 noinline %x) {
  ret void
}
; expected: nvvm-attribute 1:20
