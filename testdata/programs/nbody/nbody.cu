// One step of an all-pairs simulation. A body is (x, y, z, mass); positions pass through shared memory a block at a
// time. The softening keeps a body's force on itself finite (and zero).

extern "C" __global__ void step(const float4* from, float4* to, float4* velocity, int n, float dt) {
  __shared__ float4 tile[32];
  int i = blockIdx.x * 32 + threadIdx.x;
  float4 me = from[i];
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += 32) {
    tile[threadIdx.x] = from[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; j++) {
      float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float pull = tile[j].w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    __syncthreads();
  }
  float4 v = velocity[i];
  v.x += ax * dt;
  v.y += ay * dt;
  v.z += az * dt;
  velocity[i] = v;
  to[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}
