define void @llvm.nvvm.barrier0() {
  ret void
}
; expected: nvvm-intrinsic 1:13
