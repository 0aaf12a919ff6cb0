%o = type opaque
declare void @f(i32, %o*)
