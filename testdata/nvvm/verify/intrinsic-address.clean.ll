declare i32 @g()
define void @f(i32 ()** %p) {
  store i32 ()* @g, i32 ()** %p
  ret void
}
