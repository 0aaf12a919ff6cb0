; A kernel as clang and Rust write it: opaque pointers.
target triple = "nvptx64-nvidia-cuda"

@factor = external addrspace(4) constant float          ; defined in table.ptx
declare float @offset(i32)                              ; and in offset.ll

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @wave(ptr %data, i32 %count) {
entry:
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %inside = icmp ult i32 %i, %count
  br i1 %inside, label %then, label %exit

then:
  %at = getelementptr float, ptr %data, i32 %i
  %x = load float, ptr %at
  %f = load float, ptr addrspace(4) @factor
  %y = fmul float %x, %f
  %z = call float @offset(i32 %i)
  %sum = fadd float %y, %z
  store float %sum, ptr %at
  br label %exit

exit:
  ret void
}
