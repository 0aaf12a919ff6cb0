define void @f(i32 addrspace(3)* %p) {
  ret void
}
