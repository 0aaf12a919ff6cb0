@s = addrspace(3) global i32 undef
define void @f() {
  %x = load i32, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr addrspace(3) @s to i64) to ptr addrspace(1))
  ret void
}
; expected: nvvm-space-mismatch 3:35
