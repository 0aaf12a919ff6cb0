target datalayout = "e-p:64:64:64-i64:32:32"
; expected: nvvm-layout 1:1
