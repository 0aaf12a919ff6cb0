// Jacobi steps until nothing changes any more, decided on the device.

struct State {
  int steps, changed;
};

__device__ State state;

__global__ void step(const int* from, int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = i == 0 ? 1000 : from[i - 1], right = i == n - 1 ? 0 : from[i + 1];
  to[i] = (left + right) / 2;
  if (to[i] != from[i]) atomicAdd(&state.changed, 1);
}

extern "C" __global__ void iterate(int* from, int* to, int n, int most, int* history) {
  // What the last step has left is there, because this grid runs behind it and all its children.
  if (state.steps > 0) {
    history[state.steps - 1] = state.changed;
    if (state.changed == 0 || state.steps == most) return;
  }
  state.steps++;
  cudaStream_t stream;
  cudaEvent_t cleared;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&cleared, cudaEventDisableTiming);
  cudaMemsetAsync(&state.changed, 0, sizeof state.changed, stream);
  cudaEventRecord(cleared, stream);
  cudaStreamWaitEvent(0, cleared, 0);
  step<<<(n + 63) / 64, 64>>>(from, to, n);
  cudaEventDestroy(cleared);
  cudaStreamDestroy(stream);
  iterate<<<1, 1, 0, cudaStreamTailLaunch>>>(to, from, n, most, history);
}

extern "C" __global__ void table(int* out, const int* in) {
  // Three rows of four bytes out of rows of twelve, then one byte all over the fourth.
  cudaMemcpy2DAsync(out, 4, in, 12, 4, 3, cudaMemcpyDeviceToDevice, 0);
  cudaMemset2DAsync(out + 3, 4, 0x7f, 4, 1, 0);
}
