define void @g() {
  ret void
}
@h = alias void (), void ()* @g
