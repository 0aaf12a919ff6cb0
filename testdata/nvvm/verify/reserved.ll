define i32 @f(i32 %a) {
  %nvvm.x = add i32 %a, 1
  ret i32 %nvvm.x
}
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
; expected: nvvm-name 2:3
