%o = type opaque
declare void @f(i32, %o)
; expected: nvvm-type 2:22
