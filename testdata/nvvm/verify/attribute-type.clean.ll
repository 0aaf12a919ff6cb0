define void @f(i16 zeroext %x) {
  ret void
}
