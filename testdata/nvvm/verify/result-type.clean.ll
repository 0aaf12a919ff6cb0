%o = type opaque
declare %o* @f(i32)
