; A device function in the language of the specification, NVVM IR 1.0: typed pointers, loads without a type of their own.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
target triple = "nvptx64-unknown-unknown"

@primes = internal addrspace(4) constant [4 x i32] [i32 2, i32 3, i32 5, i32 7], align 4

define i32 @shape(i32 %x) nounwind {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi i32 [ %x, %entry ], [ %mixed, %loop ]
  %p = getelementptr [4 x i32] addrspace(4)* @primes, i32 0, i32 %i
  %prime = load i32 addrspace(4)* %p, align 4
  %product = mul i32 %acc, %prime
  %mixed = xor i32 %product, %i
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 4
  br i1 %done, label %exit, label %loop

exit:
  ret i32 %mixed
}

!nvvmir.version = !{!0}
!0 = metadata !{i32 1, i32 0}
