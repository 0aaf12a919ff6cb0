define void @f(<vscale x 4 x i32> %v) {
  ret void
}
; expected: nvvm-type 1:17
