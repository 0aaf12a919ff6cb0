define void @f(i8** %p) {
  %x = load i8*, i8** %p
  ret void
}
