target datalayout = "e-p:32:32:32-i64:64:64"
target triple = "nvptx64-nvidia-cuda"
; expected: nvvm-layout 1:1
