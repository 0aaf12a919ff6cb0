declare void @g()
define void @f() {
  %x = load i8, i8* bitcast (void ()* @g to i8*)
  ret void
}
; expected: nvvm-space 3:21
