@v = addrspace(1) global i8* blockaddress(@f, %b)
define void @f() {
  br label %b
b:
  ret void
}
; expected: nvvm-unsupported 1:30
