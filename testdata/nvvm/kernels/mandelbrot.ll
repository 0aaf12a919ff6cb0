; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(float* nocapture readonly %x, i32* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %w = sext i32 %i to i64
  %fx = sitofp i32 %tid to float
  %fy = sitofp i32 %cta to float
  %cx0 = fmul contract float %fx, 0x3FA0000000000000
  %cx = fadd contract float %cx0, -1.5
  %cy0 = fmul contract float %fy, 0x3FB0000000000000
  %cy = fadd contract float %cy0, -1.0
  br label %loop
loop:
  %it = phi i32 [ 0, %entry ], [ %it1, %next ]
  %zx = phi float [ 0.0, %entry ], [ %zx1, %next ]
  %zy = phi float [ 0.0, %entry ], [ %zy1, %next ]
  %xx = fmul contract float %zx, %zx
  %yy = fmul contract float %zy, %zy
  %r2 = fadd contract float %xx, %yy
  %out = fcmp contract ogt float %r2, 4.0
  br i1 %out, label %end, label %next
next:
  %d = fsub contract float %xx, %yy
  %zx1 = fadd contract float %d, %cx
  %t = fmul contract float %zx, 2.0
  %tt = fmul contract float %t, %zy
  %zy1 = fadd contract float %tt, %cy
  %it1 = add nuw nsw i32 %it, 1
  %lim = icmp eq i32 %it1, 100
  br i1 %lim, label %end, label %loop
end:
  %res = phi i32 [ 100, %next ], [ %it, %loop ]
  %q = getelementptr inbounds i32, i32* %y, i64 %w
  store i32 %res, i32* %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{void (float*, i32*, i32)* @k, !"kernel", i32 1}
