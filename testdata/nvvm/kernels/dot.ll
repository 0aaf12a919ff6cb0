; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@buffer = internal addrspace(3) global [64 x float] undef, align 4
define void @k(float* nocapture readonly %x, float* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c0 = icmp slt i32 %tid, %n
  br i1 %c0, label %loop, label %sum
loop:
  %i = phi i32 [ %i1, %loop ], [ %tid, %entry ]
  %acc = phi float [ %acc1, %loop ], [ 0.0, %entry ]
  %w = sext i32 %i to i64
  %px = getelementptr inbounds float, float* %x, i64 %w
  %a = load float, float* %px, align 4
  %py = getelementptr inbounds float, float* %y, i64 %w
  %b = load float, float* %py, align 4
  %m = fmul contract float %a, %b
  %acc1 = fadd contract float %acc, %m
  %i1 = add nsw i32 %i, %ntid
  %c1 = icmp slt i32 %i1, %n
  br i1 %c1, label %loop, label %sum
sum:
  %t = phi float [ 0.0, %entry ], [ %acc1, %loop ]
  %wt = sext i32 %tid to i64
  %slot = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @buffer, i64 0, i64 %wt
  store float %t, float addrspace(3)* %slot, align 4
  tail call void @llvm.nvvm.barrier0()
  br label %fold
fold:
  %h = phi i32 [ 32, %sum ], [ %h1, %next ]
  %act = icmp slt i32 %tid, %h
  br i1 %act, label %add, label %next
add:
  %o = add nsw i32 %h, %tid
  %wo = sext i32 %o to i64
  %other = getelementptr inbounds [64 x float], [64 x float] addrspace(3)* @buffer, i64 0, i64 %wo
  %ov = load float, float addrspace(3)* %other, align 4
  %me = load float, float addrspace(3)* %slot, align 4
  %su = fadd contract float %ov, %me
  store float %su, float addrspace(3)* %slot, align 4
  br label %next
next:
  tail call void @llvm.nvvm.barrier0()
  %h1 = lshr i32 %h, 1
  %more = icmp ugt i32 %h, 1
  br i1 %more, label %fold, label %done
done:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %write, label %end
write:
  %r = load float, float addrspace(3)* getelementptr inbounds ([64 x float], [64 x float] addrspace(3)* @buffer, i64 0, i64 0), align 4
  store float %r, float* %y, align 4
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{void (float*, float*, i32)* @k, !"kernel", i32 1}
