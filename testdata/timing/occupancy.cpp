// Prints what CUDA's occupancy calculator answers for a grid of block needs, as the JSON in occupancy.json:
//     g++ -I$CUDA_HOME/include occupancy.cpp -o occupancy && ./occupancy > occupancy.json

#include <cstdio>
#include <cuda_occupancy.h>

struct Gpu {
  const char *name;
  int major, minor, threads, shared, optin, reserved;
};

int main() {
  const Gpu gpus[] = {
      {"v100", 7, 0, 2048, 96, 96, 0},     {"t4", 7, 5, 1024, 64, 64, 0},         {"a100", 8, 0, 2048, 164, 163, 1024},
      {"rtx3090", 8, 6, 1536, 100, 99, 1024}, {"rtx4090", 8, 9, 1536, 100, 99, 1024}, {"h100", 9, 0, 2048, 228, 227, 1024},
  };
  const int threads[] = {1, 33, 64, 96, 128, 192, 256, 384, 512, 544, 768, 1024};
  const int registers[] = {0, 16, 32, 33, 40, 64, 72, 96, 128, 168, 255};
  const int shared[] = {0, 1, 1024, 8192, 12345, 31000, 49152, 65536, 101376, 166912, 232448};
  std::printf("{\n\"columns\": [\"threads\", \"registers\", \"sharedBytes\", \"blocks\"],\n\"gpus\": {\n");
  for (const Gpu &gpu : gpus) {
    cudaOccDeviceProp device;
    device.computeMajor = gpu.major;
    device.computeMinor = gpu.minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = gpu.threads;
    device.regsPerBlock = 65536;
    device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = gpu.shared * 1024;
    device.numSms = 1;
    device.sharedMemPerBlockOptin = gpu.optin * 1024;
    device.reservedSharedMemPerBlock = gpu.reserved;
    std::printf("%s\"%s\": [", &gpu == gpus ? "" : ",\n", gpu.name);
    bool first = true;
    for (int t : threads)
      for (int r : registers)
        for (int s : shared) {
          cudaOccFuncAttributes function;
          function.maxThreadsPerBlock = 1024;
          function.numRegs = r;
          function.sharedSizeBytes = 0;
          function.partitionedGCConfig = PARTITIONED_GC_OFF;
          function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          function.maxDynamicSharedSizeBytes = gpu.optin * 1024;
          cudaOccDeviceState state;
          cudaOccResult result;
          if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, t, s) != CUDA_OCC_SUCCESS)
            return 1;
          std::printf("%s[%d,%d,%d,%d]", first ? "\n" : (s == 0 ? ",\n" : ","), t, r, s,
                      result.activeBlocksPerMultiprocessor);
          first = false;
        }
    std::printf("]");
  }
  std::printf("\n}\n}\n");
}
