%o = type opaque
define void @f() {
  %x = alloca %o*
  ret void
}
