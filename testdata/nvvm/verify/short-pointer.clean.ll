target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-i64:64"
define void @f(ptr %p, ptr addrspace(3) %s) {
  %n = ptrtoint ptr addrspace(3) %s to i32
  store i32 %n, ptr %p
  ret void
}
