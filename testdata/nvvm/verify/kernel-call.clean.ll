define void @f() {
  call void @k()
  ret void
}
define void @k() {
  ret void
}
