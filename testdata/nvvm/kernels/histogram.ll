; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@bins = internal addrspace(3) global [64 x i32] undef, align 4
define void @k(i8* nocapture readonly %x, i32* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %wt = zext i32 %tid to i64
  %slot = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @bins, i64 0, i64 %wt
  store i32 0, i32 addrspace(3)* %slot, align 4
  tail call void @llvm.nvvm.barrier0()
  %c0 = icmp slt i32 %tid, %n
  br i1 %c0, label %loop, label %done
loop:
  %i = phi i32 [ %i1, %loop ], [ %tid, %entry ]
  %w = sext i32 %i to i64
  %p = getelementptr inbounds i8, i8* %x, i64 %w
  %v = load i8, i8* %p, align 1
  %b = and i8 %v, 63
  %wb = zext i8 %b to i64
  %q = getelementptr inbounds [64 x i32], [64 x i32] addrspace(3)* @bins, i64 0, i64 %wb
  %old = atomicrmw add i32 addrspace(3)* %q, i32 1 monotonic
  %i1 = add nsw i32 %i, %ntid
  %c1 = icmp slt i32 %i1, %n
  br i1 %c1, label %loop, label %done
done:
  tail call void @llvm.nvvm.barrier0()
  %r = load i32, i32 addrspace(3)* %slot, align 4
  %o = getelementptr inbounds i32, i32* %y, i64 %wt
  store i32 %r, i32* %o, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{void (i8*, i32*, i32)* @k, !"kernel", i32 1}
