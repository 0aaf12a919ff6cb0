declare void @llvm.memset.p4i8.i64(i8 addrspace(4)*, i8, i64, i1)
declare void @llvm.memset.p1i8.i64(i8 addrspace(1)*, i8, i64, i1)
define void @f(i8 addrspace(4)* %p) {
  call void @llvm.memset.p4i8.i64(i8 addrspace(4)* %p, i8 0, i64 8, i1 false)
  ret void
}
; expected: nvvm-intrinsic 4:52
