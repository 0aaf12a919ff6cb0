; As clang -O2 writes it.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%body = type { float, float, float, float }
define void @k(%body* nocapture readonly %x, %body* nocapture %y, i32 %n) {
entry:
  %tid = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %w = sext i32 %i to i64
  %p0 = getelementptr inbounds %body, %body* %x, i64 %w, i32 0
  %x0 = load float, float* %p0, align 16
  %p1 = getelementptr inbounds %body, %body* %x, i64 %w, i32 1
  %y0 = load float, float* %p1, align 4
  %p2 = getelementptr inbounds %body, %body* %x, i64 %w, i32 2
  %z0 = load float, float* %p2, align 8
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %ax = phi float [ 0.0, %entry ], [ %ax1, %loop ]
  %ay = phi float [ 0.0, %entry ], [ %ay1, %loop ]
  %az = phi float [ 0.0, %entry ], [ %az1, %loop ]
  %q0 = getelementptr inbounds %body, %body* %x, i64 %j, i32 0
  %xj = load float, float* %q0, align 16
  %q1 = getelementptr inbounds %body, %body* %x, i64 %j, i32 1
  %yj = load float, float* %q1, align 4
  %q2 = getelementptr inbounds %body, %body* %x, i64 %j, i32 2
  %zj = load float, float* %q2, align 8
  %q3 = getelementptr inbounds %body, %body* %x, i64 %j, i32 3
  %mj = load float, float* %q3, align 4
  %dx = fsub contract float %xj, %x0
  %dy = fsub contract float %yj, %y0
  %dz = fsub contract float %zj, %z0
  %sx = fmul contract float %dx, %dx
  %sy = fmul contract float %dy, %dy
  %s1 = fadd contract float %sx, %sy
  %sz = fmul contract float %dz, %dz
  %s2 = fadd contract float %s1, %sz
  %s3 = fadd contract float %s2, 0x3F847AE140000000
  %d = tail call contract float @llvm.sqrt.f32(float %s3)
  %d2 = fmul contract float %s3, %d
  %f = fdiv contract float %mj, %d2
  %gx = fmul contract float %dx, %f
  %ax1 = fadd contract float %ax, %gx
  %gy = fmul contract float %dy, %f
  %ay1 = fadd contract float %ay, %gy
  %gz = fmul contract float %dz, %f
  %az1 = fadd contract float %az, %gz
  %j1 = add nuw nsw i64 %j, 1
  %done = icmp eq i64 %j1, 64
  br i1 %done, label %end, label %loop
end:
  %r0 = getelementptr inbounds %body, %body* %y, i64 %w, i32 0
  store float %ax1, float* %r0, align 16
  %r1 = getelementptr inbounds %body, %body* %y, i64 %w, i32 1
  store float %ay1, float* %r1, align 4
  %r2 = getelementptr inbounds %body, %body* %y, i64 %w, i32 2
  store float %az1, float* %r2, align 8
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare float @llvm.sqrt.f32(float)

!nvvm.annotations = !{!0}
!0 = !{void (%body*, %body*, i32)* @k, !"kernel", i32 1}
