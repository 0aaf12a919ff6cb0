%S = type { i32, i32 }
define void @f(void (i32, %S)* %g, i32 %a, %S %s) {
  call void %g(i32 %a, %S %s), !callalign !0
  ret void
}
!0 = !{i32 65540, i32 131080}
