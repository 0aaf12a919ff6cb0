; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(float* nocapture readonly %a, float* nocapture %c, i32 %n) {
entry:
  %col = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rown = mul nsw i32 %row, 64
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %acc = phi float [ 0.0, %entry ], [ %acc1, %loop ]
  %ia = add nsw i32 %k, %rown
  %wa = sext i32 %ia to i64
  %pa = getelementptr inbounds float, float* %a, i64 %wa
  %va = load float, float* %pa, align 4
  %kb = mul nsw i32 %k, 64
  %ib = add nsw i32 %kb, %col
  %wb = sext i32 %ib to i64
  %pb = getelementptr inbounds float, float* %a, i64 %wb
  %vb = load float, float* %pb, align 4
  %m = fmul contract float %va, %vb
  %acc1 = fadd contract float %acc, %m
  %k1 = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %k1, 64
  br i1 %done, label %end, label %loop
end:
  %io = add nsw i32 %rown, %col
  %wo = sext i32 %io to i64
  %po = getelementptr inbounds float, float* %c, i64 %wo
  store float %acc1, float* %po, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

!nvvm.annotations = !{!0}
!0 = !{void (float*, float*, i32)* @k, !"kernel", i32 1}
