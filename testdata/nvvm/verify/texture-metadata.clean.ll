@t = addrspace(1) global i64 0
declare i64 @llvm.nvvm.texsurf.handle.p1i64(metadata, i64 addrspace(1)*)
define i64 @f() {
  %h = call i64 @llvm.nvvm.texsurf.handle.p1i64(metadata !1, i64 addrspace(1)* @t)
  ret i64 %h
}
!nvvm.annotations = !{!0}
!0 = !{i64 addrspace(1)* @t, !"texture", i32 1}
!1 = !{i64 addrspace(1)* @t}
