define void @f() {
  %x = alloca i32, addrspace(3)
  ret void
}
; expected: nvvm-space 2:20
