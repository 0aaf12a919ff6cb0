@t = addrspace(1) global i64 0
define i64 @f() {
  %v = load i64, i64 addrspace(1)* @t
  ret i64 %v
}
!nvvm.annotations = !{!0}
!0 = !{i64 addrspace(1)* @t, !"texture", i32 1}
; expected: nvvm-texture 3:36
