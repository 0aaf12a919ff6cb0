@s = addrspace(3) global i32 undef
define void @f() {
  %x = load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr)
  ret void
}
