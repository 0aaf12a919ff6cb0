define void @f() {
  %x = alloca i32
  ret void
}
