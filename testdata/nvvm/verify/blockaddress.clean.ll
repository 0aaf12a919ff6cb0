@v = addrspace(1) global i8* null
define void @f() {
  br label %b
b:
  ret void
}
