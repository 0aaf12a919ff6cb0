%a = type { i32, %b }
%b = type { [2 x %a] }
@v = external global %a
; expected: nvvm-type 1:1
