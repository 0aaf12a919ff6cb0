define void @f(<4 x i32> %v) {
  ret void
}
