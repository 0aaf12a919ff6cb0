define void @f(i16 signext %x) {
  ret void
}
