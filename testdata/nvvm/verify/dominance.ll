define i32 @f(i1 %c, i32 %a) {
  br i1 %c, label %then, label %end
then:
  %x = add i32 %a, 1
  br label %end
end:
  ret i32 %x
}
; expected: nvvm-ssa 7:11
