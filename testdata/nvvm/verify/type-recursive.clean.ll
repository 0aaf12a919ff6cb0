%a = type { i32, %b }
%b = type { [2 x %a*] }
@v = external global %a
