target triple = "x86_64-unknown-linux-gnu"
; expected: nvvm-triple 1:1
