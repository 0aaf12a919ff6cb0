define void @f(i32 addrspace(4)* %p) {
  store i32 0, i32 addrspace(4)* %p
  ret void
}
; expected: nvvm-space 2:34
