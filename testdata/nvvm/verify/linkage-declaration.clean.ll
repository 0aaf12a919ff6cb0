declare void @f()
