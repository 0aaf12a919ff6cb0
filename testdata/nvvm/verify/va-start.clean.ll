declare void @llvm.va_start(i8*)
define void @f(i8* %p, ...) {
  call void @llvm.va_start(i8* %p)
  ret void
}
