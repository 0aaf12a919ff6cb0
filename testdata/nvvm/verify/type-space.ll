define void @f(i32 addrspace(2)* %p) {
  ret void
}
; expected: nvvm-space 1:20
