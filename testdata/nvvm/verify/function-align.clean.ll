define void @f() align 16 {
  ret void
}
