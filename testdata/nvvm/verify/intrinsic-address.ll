declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @f(i32 ()** %p) {
  store i32 ()* @llvm.nvvm.read.ptx.sreg.tid.x, i32 ()** %p
  ret void
}
; expected: nvvm-intrinsic 3:17
