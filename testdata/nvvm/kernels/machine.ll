; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define void @k(i8* nocapture readonly %x, i32* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %w = sext i32 %i to i64
  br label %loop
loop:
  %pc = phi i32 [ 0, %entry ], [ %pc1, %next ]
  %v = phi i32 [ %i, %entry ], [ %v1, %next ]
  %wp = zext i32 %pc to i64
  %p = getelementptr inbounds i8, i8* %x, i64 %wp
  %op = load i8, i8* %p, align 1
  %o = and i8 %op, 7
  switch i8 %o, label %next [
    i8 0, label %a
    i8 1, label %b
    i8 2, label %c
    i8 3, label %d
  ]
a:
  %va = add i32 %v, 3
  br label %next
b:
  %vb = mul i32 %v, 5
  br label %next
c:
  %vc = xor i32 %v, 255
  br label %next
d:
  %vd = lshr i32 %v, 1
  br label %next
next:
  %v1 = phi i32 [ %v, %loop ], [ %va, %a ], [ %vb, %b ], [ %vc, %c ], [ %vd, %d ]
  %pc1 = add nuw nsw i32 %pc, 1
  %done = icmp eq i32 %pc1, 64
  br i1 %done, label %end, label %loop
end:
  %q = getelementptr inbounds i32, i32* %y, i64 %w
  store i32 %v1, i32* %q, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

!nvvm.annotations = !{!0}
!0 = !{void (i8*, i32*, i32)* @k, !"kernel", i32 1}
