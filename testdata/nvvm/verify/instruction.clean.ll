define void @f(i8* %p) {
  br label %b
b:
  ret void
}
