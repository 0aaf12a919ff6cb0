define common void @f() {
  ret void
}
; expected: nvvm-linkage 1:8
