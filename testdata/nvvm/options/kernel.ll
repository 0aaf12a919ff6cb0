target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare float @llvm.nvvm.sqrt.f(float)
declare float @llvm.sqrt.f32(float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @k(float* %in, float* %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %tid, 2
  %pa = getelementptr float, float* %in, i32 %i
  %pb = getelementptr float, float* %pa, i32 1
  %a = load float, float* %pa
  %b = load float, float* %pb
  %d = fpext float %a to double
  %e = fpext float %b to double
  %t1 = fadd float %a, %b
  %t2 = fsub float %a, %b
  %t3 = fmul float %a, %b
  %t4 = fdiv float %a, %b
  %t5 = fdiv float 1.0, %b
  %t6 = fdiv float 1.5, %b
  %t7 = call float @llvm.sqrt.f32(float %a)
  %t8 = call float @llvm.fma.f32(float %a, float %b, float %a)
  %t9p = fmul double %d, %e
  %t9 = fptrunc double %t9p to float
  %t10 = fmul float %a, %b
  %t11 = fadd float %t10, %a
  %t12 = fmul float %a, %b
  %t13 = fsub float %t12, %b
  %t14 = fmul double %d, %e
  %t15d = fsub double %d, %t14
  %t15 = fptrunc double %t15d to float
  %t16 = fsub float -0.0, %a
  %t17 = fcmp olt float %a, %b
  %t18 = select i1 %t17, float %a, float %b
  %t19 = fpext float %a to double
  %t19x = fmul double %t19, 0x4370000000000000
  %t20 = fptrunc double %t19x to float
  %t21 = fdiv double %d, %e
  %t22 = fptrunc double %t21 to float
  %t23 = fptrunc float %a to half
  %t24 = fpext half %t23 to float
  %t25 = fptosi float %a to i32
  %t26 = sitofp i32 %t25 to float
  %t27 = call float @llvm.nvvm.sqrt.f(float %a)
  %nb = fsub float -0.0, %b
  %u0 = call float @llvm.fma.f32(float %a, float %b, float %nb)
  %nd = fsub double -0.0, %d
  %u1d = call double @llvm.fma.f64(double %nd, double %e, double %d)
  %u1 = fptrunc double %u1d to float
  %o = mul i32 %tid, 21
  %q = getelementptr float, float* %out, i32 %o
  %q0 = getelementptr float, float* %q, i32 0
  store float %t1, float* %q0
  %q1 = getelementptr float, float* %q, i32 1
  store float %t2, float* %q1
  %q2 = getelementptr float, float* %q, i32 2
  store float %t3, float* %q2
  %q3 = getelementptr float, float* %q, i32 3
  store float %t4, float* %q3
  %q4 = getelementptr float, float* %q, i32 4
  store float %t5, float* %q4
  %q5 = getelementptr float, float* %q, i32 5
  store float %t6, float* %q5
  %q6 = getelementptr float, float* %q, i32 6
  store float %t7, float* %q6
  %q7 = getelementptr float, float* %q, i32 7
  store float %t8, float* %q7
  %q8 = getelementptr float, float* %q, i32 8
  store float %t9, float* %q8
  %q9 = getelementptr float, float* %q, i32 9
  store float %t11, float* %q9
  %q10 = getelementptr float, float* %q, i32 10
  store float %t13, float* %q10
  %q11 = getelementptr float, float* %q, i32 11
  store float %t15, float* %q11
  %q12 = getelementptr float, float* %q, i32 12
  store float %t16, float* %q12
  %q13 = getelementptr float, float* %q, i32 13
  store float %t18, float* %q13
  %q14 = getelementptr float, float* %q, i32 14
  store float %t20, float* %q14
  %q15 = getelementptr float, float* %q, i32 15
  store float %t22, float* %q15
  %q16 = getelementptr float, float* %q, i32 16
  store float %t24, float* %q16
  %q17 = getelementptr float, float* %q, i32 17
  store float %t26, float* %q17
  %q18 = getelementptr float, float* %q, i32 18
  store float %t27, float* %q18
  %q19 = getelementptr float, float* %q, i32 19
  store float %u0, float* %q19
  %q20 = getelementptr float, float* %q, i32 20
  store float %u1, float* %q20
  ret void
}
!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
!nvvm.annotations = !{!1}
!1 = !{void (float*, float*)* @k, !"kernel", i32 1}
