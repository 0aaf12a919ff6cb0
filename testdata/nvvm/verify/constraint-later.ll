define void @f(i32 %a, i64 %b, i8 %c) {
  %r = call i32 asm "mov.b32 $0, $1;", "=r,x"(i32 %a)
  ret void
}
!nvvmir.version = !{!99}
!99 = !{i32 2, i32 0}
; expected: nvvm-asm 2:41
