; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(float* nocapture readonly %x, float* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %in = icmp slt i32 %i, %n
  br i1 %in, label %body, label %end
body:
  %w = sext i32 %i to i64
  %px = getelementptr inbounds float, float* %x, i64 %w
  %a = load float, float* %px, align 4
  %m = fmul contract float %a, 2.5
  %py = getelementptr inbounds float, float* %y, i64 %w
  %b = load float, float* %py, align 4
  %s = fadd contract float %m, %b
  store float %s, float* %py, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{void (float*, float*, i32)* @k, !"kernel", i32 1}
