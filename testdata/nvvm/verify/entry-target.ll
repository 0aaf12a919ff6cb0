define void @f() {
a:
  br label %a
}
; expected: nvvm-ssa 2:1
