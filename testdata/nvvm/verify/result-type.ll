%o = type opaque
declare %o @f(i32)
; expected: nvvm-type 2:12
