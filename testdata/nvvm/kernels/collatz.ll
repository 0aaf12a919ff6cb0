; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(i32* nocapture readonly %x, i32* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %w = sext i32 %i to i64
  %start = add i32 %i, 1
  %ws = zext i32 %start to i64
  %c0 = icmp eq i32 %start, 1
  br i1 %c0, label %end, label %loop
loop:
  %v = phi i64 [ %v1, %loop ], [ %ws, %entry ]
  %s = phi i32 [ %s1, %loop ], [ 0, %entry ]
  %odd = and i64 %v, 1
  %even = icmp eq i64 %odd, 0
  %half = lshr i64 %v, 1
  %three = mul nuw nsw i64 %v, 3
  %plus = add nuw nsw i64 %three, 1
  %v1 = select i1 %even, i64 %half, i64 %plus
  %s1 = add nuw nsw i32 %s, 1
  %stop = icmp eq i64 %v1, 1
  br i1 %stop, label %end, label %loop
end:
  %r = phi i32 [ 0, %entry ], [ %s1, %loop ]
  %q = getelementptr inbounds i32, i32* %y, i64 %w
  store i32 %r, i32* %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{void (i32*, i32*, i32)* @k, !"kernel", i32 1}
