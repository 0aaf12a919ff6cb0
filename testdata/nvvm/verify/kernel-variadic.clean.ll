declare ptx_kernel void @k(i32)
