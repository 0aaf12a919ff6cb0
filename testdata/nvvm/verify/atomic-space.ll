define void @f(i32 addrspace(4)* %p) {
  %x = cmpxchg i32 addrspace(4)* %p, i32 0, i32 1 seq_cst
  ret void
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-atomic 2:34
