declare void @g()
@h = alias void (), void ()* @g
; expected: nvvm-linkage 2:1
