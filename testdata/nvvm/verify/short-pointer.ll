target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64"
define void @f(ptr %p, ptr addrspace(3) %s) {
  store ptr addrspace(3) %s, ptr %p
  ret void
}
; expected: nvvm-layout 3:3
