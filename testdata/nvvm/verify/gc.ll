define void @f() gc "shadow-stack" {
  ret void
}
; expected: nvvm-attribute 1:18
