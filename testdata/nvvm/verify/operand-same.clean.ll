define void @f(i32* %p, i32 %a, i64 %b) {
  %x = cmpxchg i32* %p, i32 %a, i32 %a seq_cst seq_cst
  ret void
}
