define void @f(i8* %p) {
  indirectbr i8* %p, [label %b]
b:
  ret void
}
; expected: nvvm-instruction 2:3
