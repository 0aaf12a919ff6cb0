// Every thread writes down who it is.

extern "C" __global__ void identify(unsigned* out) {
  unsigned inBlock = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned lane, lessOrEqual, greater, equal, warpSizeHere = warpSize;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(lessOrEqual));
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(greater));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(equal));
  unsigned present = __ballot_sync(__activemask(), 1) | __match_any_sync(__activemask(), block);
  unsigned* to = out + (block * blockDim.x * blockDim.y * blockDim.z + inBlock) * 6;
  to[0] = threadIdx.x | threadIdx.y << 8 | threadIdx.z << 16;
  to[1] = blockIdx.x | blockIdx.y << 8 | blockIdx.z << 16 | gridDim.z << 24;
  to[2] = lane << 16 | warpSizeHere;
  to[3] = lessOrEqual ^ greater;
  to[4] = equal;
  to[5] = present >> lane & 1;
}
