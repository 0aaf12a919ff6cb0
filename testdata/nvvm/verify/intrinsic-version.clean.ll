declare float @llvm.sqrt.f32(float)
!nvvmir.version = !{!99}
!99 = metadata !{i32 1, i32 0}
