%o = type opaque
define void @f() {
  %x = alloca %o
  ret void
}
; expected: nvvm-operand 3:8
