define void @f() {
  call void @k()
  ret void
}
define ptx_kernel void @k() {
  ret void
}
; expected: nvvm-kernel-call 2:13
