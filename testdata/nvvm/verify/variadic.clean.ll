declare void @f(i8* %s, ...)
