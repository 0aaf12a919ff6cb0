target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.va_start(i8*)
declare i32 @our_next(i8**)
define i32 @their_sum(i32 %n, ...) {
  %list = alloca i8*
  %cast = bitcast i8** %list to i8*
  call void @llvm.va_start(i8* %cast)
  %a = va_arg i8** %list, i32
  %b = call i32 @our_next(i8** %list)
  %c = va_arg i8** %list, i32
  %a10 = mul i32 %a, 10
  %ab = add i32 %a10, %b
  %ab10 = mul i32 %ab, 10
  %abc = add i32 %ab10, %c
  ret i32 %abc
}
define i32 @their_next(i8** %list) {
  %a = va_arg i8** %list, double
  %b = fptosi double %a to i32
  ret i32 %b
}
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
