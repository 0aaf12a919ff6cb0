declare internal void @f()
; expected: nvvm-linkage 1:9
