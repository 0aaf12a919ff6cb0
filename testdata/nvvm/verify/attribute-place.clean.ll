define void @f(i32 noundef %x) noinline {
  ret void
}
