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
  %c1 = icmp sgt i32 %i, 1
  %n2 = add nsw i32 %n, -2
  %c2 = icmp slt i32 %i, %n2
  %in = and i1 %c1, %c2
  br i1 %in, label %body, label %end
body:
  %w = sext i32 %i to i64
  %i0 = add nsw i32 %i, -2
  %w0 = sext i32 %i0 to i64
  %p0 = getelementptr inbounds float, float* %x, i64 %w0
  %v0 = load float, float* %p0, align 4
  %i1 = add nsw i32 %i, -1
  %w1 = sext i32 %i1 to i64
  %p1 = getelementptr inbounds float, float* %x, i64 %w1
  %v1 = load float, float* %p1, align 4
  %p2 = getelementptr inbounds float, float* %x, i64 %w
  %v2 = load float, float* %p2, align 4
  %i3 = add nsw i32 %i, 1
  %w3 = sext i32 %i3 to i64
  %p3 = getelementptr inbounds float, float* %x, i64 %w3
  %v3 = load float, float* %p3, align 4
  %i4 = add nsw i32 %i, 2
  %w4 = sext i32 %i4 to i64
  %p4 = getelementptr inbounds float, float* %x, i64 %w4
  %v4 = load float, float* %p4, align 4
  %s1 = fadd contract float %v0, %v4
  %s2 = fadd contract float %v1, %v3
  %m1 = fmul contract float %s2, 4.0
  %s3 = fadd contract float %s1, %m1
  %m2 = fmul contract float %v2, -6.0
  %s4 = fadd contract float %s3, %m2
  %q = getelementptr inbounds float, float* %y, i64 %w
  store float %s4, float* %q, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{void (float*, float*, i32)* @k, !"kernel", i32 1}
