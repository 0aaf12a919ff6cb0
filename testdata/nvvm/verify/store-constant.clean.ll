define void @f(i32 addrspace(4)* %p) {
  %x = load i32, i32 addrspace(4)* %p
  ret void
}
