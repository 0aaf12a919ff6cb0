define void @f() {
  br label %a
a:
  br label %a
}
