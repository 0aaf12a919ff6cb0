// What oracle:inspect compiles: a CUDA program with every kind of variable, and the ways to compile it.

export const SOURCE = `#include <cstdio>
__constant__ float weights[16] = {1, 2, 3};
__device__ int counter = 5;
__device__ float4 field[100];
__device__ int *where = &counter;
__device__ __noinline__ float helper(float x) { return x * weights[3] + counter; }
template <typename T> __global__ void scale(T *p, T a, int n) {
  __shared__ T tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = p[i];
  __syncthreads();
  if (i < n) p[i] = tile[threadIdx.x ^ 1] * a + (T)helper((float)a);
}
template __global__ void scale<float>(float *, float, int);
template __global__ void scale<double>(double *, double, int);
__global__ __launch_bounds__(128, 2) void print(const char *s, int n) {
  extern __shared__ int dynamic[];
  dynamic[threadIdx.x] = n;
  printf("%s %d %p\\n", s, dynamic[threadIdx.x], where);
}
int main() { scale<float><<<1, 128>>>(nullptr, 2, 0); print<<<1, 1, 4>>>(nullptr, 1); return 0; }
`;

export interface Compilation {
  /** Of nvcc, without the source and -o. */
  readonly options: readonly string[];
  /** Whether ptxas -v says what the kernels take. */
  readonly hasResources?: boolean;
}

const TARGETS = "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a sm_103 sm_110 sm_120 sm_121".split(
  " ",
);
const SEVERAL = "-gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=[sm_90,compute_90]".split(" ");

export const COMPILATIONS: readonly Compilation[] = [
  ...TARGETS.map((arch) => ({ options: ["-cubin", `-arch=${arch}`], hasResources: true })),
  ...["-rdc=true", "-G", "-lineinfo", "-O0", "-maxrregcount=32"].flatMap((how) =>
    ["sm_75", "sm_90", "sm_120"].map((arch) => ({ options: ["-cubin", `-arch=${arch}`, how], hasResources: true })),
  ),
  ...["none", "default", "size", "speed", "balance"].map((mode) => ({
    options: ["-fatbin", ...SEVERAL, `-Xfatbin=-compress-mode=${mode}`],
  })),
  { options: ["-c", ...SEVERAL] },
  { options: ["-dc", ...SEVERAL] },
  { options: ["-dc", "-dlto", "-arch=sm_90"] },
  { options: [...SEVERAL] },
  { options: ["-rdc=true", ...SEVERAL] },
  { options: ["-shared", "-Xcompiler", "-fPIC", ...SEVERAL] },
];
