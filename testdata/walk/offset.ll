; A function in the language of the specification, NVVM IR 1.0: loads have no type of their own.
@steps = addrspace(4) constant [2 x float] [float 0.5, float -0.5], align 4

define float @offset(i32 %i) {
  %odd = and i32 %i, 1
  %at = getelementptr [2 x float] addrspace(4)* @steps, i32 0, i32 %odd
  %step = load float addrspace(4)* %at
  ret float %step
}

!nvvmir.version = !{!0}
!0 = metadata !{i32 1, i32 0}
