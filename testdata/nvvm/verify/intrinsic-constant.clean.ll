declare i32 @llvm.abs.i32(i32, i1)
define void @f(i32 %a, i1 %b) {
  %x = call i32 @llvm.abs.i32(i32 %a, i1 true)
  ret void
}
