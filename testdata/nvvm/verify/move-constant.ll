declare void @llvm.memmove.p1i8.p4i8.i64(i8 addrspace(1)*, i8 addrspace(4)*, i64, i32, i1)
define void @f(i8 addrspace(1)* %p, i8 addrspace(4)* %q) {
  call void @llvm.memmove.p1i8.p4i8.i64(i8 addrspace(1)* %p, i8 addrspace(4)* %q, i64 8, i32 1, i1 false)
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-intrinsic 3:79
