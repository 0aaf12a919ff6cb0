define weak void @f() {
  ret void
}
