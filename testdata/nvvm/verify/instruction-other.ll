define void @f() {
  %x = landingpad { i8*, i32 } cleanup
  ret void
}
; expected: nvvm-instruction 2:8
