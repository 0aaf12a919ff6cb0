define void @barrier0() {
  ret void
}
