target datalayout = "e-p:32:32:32-i64:64:64"
target triple = "nvptx-nvidia-cuda"
