; A ring of operations in variables that point to each other, called through pointers; typed pointers, as LLVM 4 to 14 have them.
target triple = "nvptx64-nvidia-cuda"

%node = type { %node*, i32 (i32)* }

@first = global %node { %node* @second, i32 (i32)* @twice }, align 8
@second = internal global %node { %node* @third, i32 (i32)* @negative }, align 8
@third = internal global %node { %node* @first, i32 (i32)* @square }, align 8

define internal i32 @twice(i32 %x) {
  %r = shl i32 %x, 1
  ret i32 %r
}

define internal i32 @negative(i32 %x) {
  %r = sub i32 0, %x
  ret i32 %r
}

define internal i32 @square(i32 %x) {
  %r = mul i32 %x, %x
  ret i32 %r
}

define i32 @apply(i32 %x, i32 %steps) {
entry:
  br label %head

head:
  %node = phi %node* [ @first, %entry ], [ %following, %body ]
  %value = phi i32 [ %x, %entry ], [ %result, %body ]
  %left = phi i32 [ %steps, %entry ], [ %fewer, %body ]
  %done = icmp eq i32 %left, 0
  br i1 %done, label %exit, label %body

body:
  %operation = getelementptr inbounds %node, %node* %node, i64 0, i32 1
  %function = load i32 (i32)*, i32 (i32)** %operation, align 8
  %result = call i32 %function(i32 %value)
  %link = getelementptr inbounds %node, %node* %node, i64 0, i32 0
  %following = load %node*, %node** %link, align 8
  %fewer = sub i32 %left, 1
  br label %head

exit:
  ret i32 %value
}

!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
