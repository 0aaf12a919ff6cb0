define void @f(i32 %a, i64 %b, i8 %c) {
  %r = call i32 asm "mov.b32 $0, $1;", "=r,*m"(i32 %a)
  ret void
}
; expected: nvvm-asm 2:41
