; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@ta = internal addrspace(3) global [16 x [16 x float]] undef, align 4
@tb = internal addrspace(3) global [16 x [16 x float]] undef, align 4
define void @k(float* nocapture readonly %a, float* nocapture %c, i32 %n) {
entry:
  %tx = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bx = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %r0 = shl i32 %by, 4
  %row = add i32 %r0, %ty
  %c0 = shl i32 %bx, 4
  %col = add i32 %c0, %tx
  %wtx = zext i32 %tx to i64
  %wty = zext i32 %ty to i64
  %pta = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 %wtx
  %ptb = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 %wty, i64 %wtx
  %rn = mul nsw i32 %row, 64
  br label %loop
loop:
  %t = phi i32 [ 0, %entry ], [ %t1, %loop ]
  %acc = phi float [ 0.0, %entry ], [ %ps15, %loop ]
  %t16 = shl nuw nsw i32 %t, 4
  %x1 = add nsw i32 %t16, %tx
  %ia = add nsw i32 %x1, %rn
  %wa = sext i32 %ia to i64
  %pa = getelementptr inbounds float, float* %a, i64 %wa
  %va = load float, float* %pa, align 4
  store float %va, float addrspace(3)* %pta, align 4
  %y1 = add nsw i32 %t16, %ty
  %yn = mul nsw i32 %y1, 64
  %ib = add nsw i32 %yn, %col
  %wb = sext i32 %ib to i64
  %pb = getelementptr inbounds float, float* %a, i64 %wb
  %vb = load float, float* %pb, align 4
  store float %vb, float addrspace(3)* %ptb, align 4
  tail call void @llvm.nvvm.barrier0()
  %sa0 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 0
  %fa0 = load float, float addrspace(3)* %sa0, align 4
  %sb0 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 0, i64 %wtx
  %fb0 = load float, float addrspace(3)* %sb0, align 4
  %pm0 = fmul contract float %fa0, %fb0
  %ps0 = fadd contract float %acc, %pm0
  %sa1 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 1
  %fa1 = load float, float addrspace(3)* %sa1, align 4
  %sb1 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 1, i64 %wtx
  %fb1 = load float, float addrspace(3)* %sb1, align 4
  %pm1 = fmul contract float %fa1, %fb1
  %ps1 = fadd contract float %ps0, %pm1
  %sa2 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 2
  %fa2 = load float, float addrspace(3)* %sa2, align 4
  %sb2 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 2, i64 %wtx
  %fb2 = load float, float addrspace(3)* %sb2, align 4
  %pm2 = fmul contract float %fa2, %fb2
  %ps2 = fadd contract float %ps1, %pm2
  %sa3 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 3
  %fa3 = load float, float addrspace(3)* %sa3, align 4
  %sb3 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 3, i64 %wtx
  %fb3 = load float, float addrspace(3)* %sb3, align 4
  %pm3 = fmul contract float %fa3, %fb3
  %ps3 = fadd contract float %ps2, %pm3
  %sa4 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 4
  %fa4 = load float, float addrspace(3)* %sa4, align 4
  %sb4 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 4, i64 %wtx
  %fb4 = load float, float addrspace(3)* %sb4, align 4
  %pm4 = fmul contract float %fa4, %fb4
  %ps4 = fadd contract float %ps3, %pm4
  %sa5 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 5
  %fa5 = load float, float addrspace(3)* %sa5, align 4
  %sb5 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 5, i64 %wtx
  %fb5 = load float, float addrspace(3)* %sb5, align 4
  %pm5 = fmul contract float %fa5, %fb5
  %ps5 = fadd contract float %ps4, %pm5
  %sa6 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 6
  %fa6 = load float, float addrspace(3)* %sa6, align 4
  %sb6 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 6, i64 %wtx
  %fb6 = load float, float addrspace(3)* %sb6, align 4
  %pm6 = fmul contract float %fa6, %fb6
  %ps6 = fadd contract float %ps5, %pm6
  %sa7 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 7
  %fa7 = load float, float addrspace(3)* %sa7, align 4
  %sb7 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 7, i64 %wtx
  %fb7 = load float, float addrspace(3)* %sb7, align 4
  %pm7 = fmul contract float %fa7, %fb7
  %ps7 = fadd contract float %ps6, %pm7
  %sa8 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 8
  %fa8 = load float, float addrspace(3)* %sa8, align 4
  %sb8 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 8, i64 %wtx
  %fb8 = load float, float addrspace(3)* %sb8, align 4
  %pm8 = fmul contract float %fa8, %fb8
  %ps8 = fadd contract float %ps7, %pm8
  %sa9 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 9
  %fa9 = load float, float addrspace(3)* %sa9, align 4
  %sb9 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 9, i64 %wtx
  %fb9 = load float, float addrspace(3)* %sb9, align 4
  %pm9 = fmul contract float %fa9, %fb9
  %ps9 = fadd contract float %ps8, %pm9
  %sa10 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 10
  %fa10 = load float, float addrspace(3)* %sa10, align 4
  %sb10 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 10, i64 %wtx
  %fb10 = load float, float addrspace(3)* %sb10, align 4
  %pm10 = fmul contract float %fa10, %fb10
  %ps10 = fadd contract float %ps9, %pm10
  %sa11 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 11
  %fa11 = load float, float addrspace(3)* %sa11, align 4
  %sb11 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 11, i64 %wtx
  %fb11 = load float, float addrspace(3)* %sb11, align 4
  %pm11 = fmul contract float %fa11, %fb11
  %ps11 = fadd contract float %ps10, %pm11
  %sa12 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 12
  %fa12 = load float, float addrspace(3)* %sa12, align 4
  %sb12 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 12, i64 %wtx
  %fb12 = load float, float addrspace(3)* %sb12, align 4
  %pm12 = fmul contract float %fa12, %fb12
  %ps12 = fadd contract float %ps11, %pm12
  %sa13 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 13
  %fa13 = load float, float addrspace(3)* %sa13, align 4
  %sb13 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 13, i64 %wtx
  %fb13 = load float, float addrspace(3)* %sb13, align 4
  %pm13 = fmul contract float %fa13, %fb13
  %ps13 = fadd contract float %ps12, %pm13
  %sa14 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 14
  %fa14 = load float, float addrspace(3)* %sa14, align 4
  %sb14 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 14, i64 %wtx
  %fb14 = load float, float addrspace(3)* %sb14, align 4
  %pm14 = fmul contract float %fa14, %fb14
  %ps14 = fadd contract float %ps13, %pm14
  %sa15 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @ta, i64 0, i64 %wty, i64 15
  %fa15 = load float, float addrspace(3)* %sa15, align 4
  %sb15 = getelementptr inbounds [16 x [16 x float]], [16 x [16 x float]] addrspace(3)* @tb, i64 0, i64 15, i64 %wtx
  %fb15 = load float, float addrspace(3)* %sb15, align 4
  %pm15 = fmul contract float %fa15, %fb15
  %ps15 = fadd contract float %ps14, %pm15
  tail call void @llvm.nvvm.barrier0()
  %t1 = add nuw nsw i32 %t, 1
  %done = icmp eq i32 %t1, 4
  br i1 %done, label %end, label %loop
end:
  %io = add nsw i32 %rn, %col
  %wo = sext i32 %io to i64
  %po = getelementptr inbounds float, float* %c, i64 %wo
  store float %ps15, float* %po, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare void @llvm.nvvm.barrier0()

!nvvm.annotations = !{!0}
!0 = !{void (float*, float*, i32)* @k, !"kernel", i32 1}
