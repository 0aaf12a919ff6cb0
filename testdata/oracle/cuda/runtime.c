// The CUDA runtime API in front of ptxkit, so that whole CUDA programs run with their own checks of what kernels computed:
// allocations, copies and launches are sent to test/oracle/cuda-server.ts through two pipes; streams and events are there and do
// nothing, since every call is done when it returns. The names are those of cuda_runtime_api.h 13.0, without its declarations,
// whose types this file has no use for.
//
//   gcc -O1 -shared -fPIC -I CUDA/include runtime.c images.c tensor-maps.c -o libcudart.so
//
// A message to the server: operation and bytes of the payload (64 bits each), payload. Its answer: error and bytes, payload.
#define _GNU_SOURCE
#include "runtime.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct { unsigned x, y, z; } extent;
// ------------------------------------------------------------------------------------------------------------- messages
static int to_server = -1, from_server = -1;
/** What cudaGetLastError() answers, and what a kernel's fault leaves for the next synchronisation. */
static int last_error, fault;

static void transfer(int out, void *bytes, size_t count) {
  for (char *at = bytes; count > 0;) {
    ssize_t moved = out ? write(to_server, at, count) : read(from_server, at, count);
    if (moved <= 0) { fprintf(stderr, "the server has gone\n"); _exit(99); }
    at += moved; count -= moved;
  }
}
static void start(void) {
  int in[2], out[2];
  if (to_server >= 0) return;
  if (pipe(in) || pipe(out)) _exit(98);
  if (fork() == 0) {
    // The server reads from 10 and writes to 11; what kernels print goes to this program's own output.
    dup2(in[0], 10); dup2(out[1], 11);
    close(in[0]); close(in[1]); close(out[0]); close(out[1]);
    execlp("node", "node", getenv("PTXKIT_CUDA_SERVER"), (char *)0);
    _exit(97);
  }
  close(in[0]); close(out[1]);
  to_server = in[1]; from_server = out[0];
}
/** One message at a time: programs have threads, too. */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
int architecture(void) { const char *text = getenv("PTXKIT_CUDA_ARCH"); return text ? atoi(text) : 80; }
int ask(u64 operation, const void *first, size_t firstBytes, const void *second, size_t secondBytes, void *answer) {
  pthread_mutex_lock(&turn);
  start();
  fflush(stdout);
  u64 head[2] = { operation, firstBytes + secondBytes };
  transfer(1, head, 16); transfer(1, (void *)first, firstBytes); transfer(1, (void *)second, secondBytes);
  transfer(0, head, 16);
  if (head[1] > 0) transfer(0, answer, head[1]);
  if (head[0]) last_error = head[0];
  pthread_mutex_unlock(&turn);
  return head[0];
}

// --------------------------------------------------------------------------------------------------------- registration
/** What the host program has for a kernel or a variable, and its name in the module. */
static struct { const void *host; const char *name; } known[8192];
static int knownCount;

void **__cudaRegisterFatBinary(void *wrapper) {
  static void *handle;
  const uint8_t *fatbin = *(const uint8_t **)((char *)wrapper + 8);
  ask(MODULE, fatbin, *(uint16_t *)(fatbin + 6) + *(u64 *)(fatbin + 8), 0, 0, 0);
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
char __cudaInitModule(void **handle) { return 1; }
static void learn(const void *host, const char *name) { known[knownCount].host = host; known[knownCount++].name = name; }
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name) { learn(host, name); }
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name) { learn(host, name); }
static const char *nameOf(const void *host) {
  for (int i = 0; i < knownCount; i++) if (known[i].host == host) return known[i].name;
  return 0;
}

// --------------------------------------------------------------------------------------------------------------- memory
/** Managed memory: pages of the host at the very addresses that the device has given, copied around every launch. */
static struct { char *at; size_t size; } managed[4096];
static int managedCount;

static int managedAt(const void *p) {
  for (int i = 0; i < managedCount; i++)
    if (managed[i].at && (char *)p >= managed[i].at && (char *)p < managed[i].at + managed[i].size) return i;
  return -1;
}
/** Device memory has addresses that no process of Linux uses by itself. */
static int onDevice(const void *p) { return managedAt(p) < 0 && (u64)p >= 1ull << 36 && (u64)p < 1ull << 45; }

int cudaMalloc(void **p, size_t size) { u64 address = 0, bytes = size; int e = ask(ALLOCATE, &bytes, 8, 0, 0, &address); *p = (void *)address; return e; }
int cudaFree(void *p) {
  u64 address = (u64)p;
  int i = managedAt(p);
  if (i >= 0) managed[i].at = 0;
  return p == 0 ? 0 : ask(RELEASE, &address, 8, 0, 0, 0);
}
int cudaMallocManaged(void **p, size_t size, unsigned flags) {
  int e = cudaMalloc(p, size ? size : 1);
  u64 first = (u64)*p & ~4095ull, end = ((u64)*p + size + 4095) & ~4095ull;
  if (e || mmap((void *)first, end - first, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED) return 2;
  managed[managedCount].at = *p; managed[managedCount++].size = size;
  return 0;
}
int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) { *pitch = (width + 511) & ~511ull; return cudaMalloc(p, *pitch * height); }
int cudaMallocHost(void **p, size_t size) { *p = calloc(size, 1); return 0; }
/** Memory that is mapped (flag 2) is managed memory. */
int cudaHostAlloc(void **p, size_t size, unsigned flags) { return flags & 2 ? cudaMallocManaged(p, size, 1) : cudaMallocHost(p, size); }
int cudaHostGetDevicePointer(void **device, void *p, unsigned flags) { *device = p; return managedAt(p) < 0; }
int cudaFreeHost(void *p) { if (managedAt(p) >= 0) return cudaFree(p); free(p); return 0; }
int cudaMallocAsync(void **p, size_t size, void *stream) { return cudaMalloc(p, size); }
int cudaFreeAsync(void *p, void *stream) { return cudaFree(p); }

static int toDevice(void *to, const void *from, size_t size) { return ask(WRITE, &to, 8, from, size, 0); }
static int toHost(void *to, const void *from, size_t size) { u64 asked[2] = { (u64)from, size }; return ask(READ, asked, 16, 0, 0, to); }
int cudaMemcpy(void *to, const void *from, size_t size, int kind) {
  int into = managedAt(to) < 0 && (kind == BY_ADDRESS ? onDevice(to) : kind == TO_DEVICE || kind == ON_DEVICE);
  int outOf = managedAt(from) < 0 && (kind == BY_ADDRESS ? onDevice(from) : kind == TO_HOST || kind == ON_DEVICE);
  u64 asked[3] = { (u64)to, (u64)from, size };
  if (size == 0) return 0;
  if (into && outOf) return ask(COPY, asked, 24, 0, 0, 0);
  if (into) return toDevice(to, from, size);
  if (outOf) return toHost(to, from, size);
  memcpy(to, from, size);
  return 0;
}
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream) { return cudaMemcpy(to, from, size, kind); }
int cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind) {
  int e = 0;
  for (size_t row = 0; row < height && !e; row++) e = cudaMemcpy((char *)to + row * toPitch, (char *)from + row * fromPitch, width, kind);
  return e;
}
int cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height, int kind, void *stream) { return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind); }
int cudaMemset(void *p, int value, size_t size) {
  u64 asked[3] = { (u64)p, value & 255, size };
  if (managedAt(p) >= 0) { memset(p, value, size); return 0; }
  return size == 0 ? 0 : ask(FILL, asked, 24, 0, 0, 0);
}
int cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height) {
  int e = 0;
  for (size_t row = 0; row < height && !e; row++) e = cudaMemset((char *)p + row * pitch, value, width);
  return e;
}
int cudaMemsetAsync(void *p, int value, size_t size, void *stream) { return cudaMemset(p, value, size); }

static int find(const void *host, u64 found[2]) { const char *name = nameOf(host); return name == 0 ? 13 : ask(SYMBOL, name, strlen(name), 0, 0, found); }
int cudaGetSymbolAddress(void **p, const void *host) { u64 found[2] = { 0 }; int e = find(host, found); *p = (void *)found[0]; return e; }
int cudaGetSymbolSize(size_t *size, const void *host) { u64 found[2] = { 0 }; int e = find(host, found); *size = found[1]; return e; }
int cudaMemcpyToSymbol(const void *host, const void *from, size_t size, size_t offset, int kind) {
  char *p;
  int e = cudaGetSymbolAddress((void **)&p, host);
  return e ? e : kind == ON_DEVICE ? cudaMemcpy(p + offset, from, size, ON_DEVICE) : toDevice(p + offset, from, size);
}
int cudaMemcpyToSymbolAsync(const void *host, const void *from, size_t size, size_t offset, int kind, void *stream) { return cudaMemcpyToSymbol(host, from, size, offset, kind); }
int cudaMemcpyFromSymbol(void *to, const void *host, size_t size, size_t offset, int kind) { char *p; int e = cudaGetSymbolAddress((void **)&p, host); return e ? e : toHost(to, p + offset, size); }

// -------------------------------------------------------------------------------------------------------------- launches
static struct { extent grid, block; size_t shared; void *stream; } configured[64];
static int depth;
unsigned __cudaPushCallConfiguration(extent grid, extent block, size_t shared, void *stream) {
  configured[depth].grid = grid; configured[depth].block = block; configured[depth].shared = shared; configured[depth++].stream = stream;
  return 0;
}
int __cudaPopCallConfiguration(extent *grid, extent *block, size_t *shared, void **stream) {
  depth--;
  *grid = configured[depth].grid; *block = configured[depth].block; *shared = configured[depth].shared; *stream = configured[depth].stream;
  return 0;
}
typedef struct { unsigned cooperative, dependent; extent cluster; } attributes;
static int launch(const void *host, extent grid, extent block, void **arguments, size_t shared, attributes with) {
  const char *name = nameOf(host);
  u64 sizes[256];
  uint8_t message[1 << 16];
  if (name == 0) return last_error = 98;
  int e = ask(PARAMETERS, name, strlen(name), 0, 0, sizes);
  if (e) return e;
  unsigned head[13] = { grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, with.cooperative, with.cluster.x, with.cluster.y, with.cluster.z, with.dependent, strlen(name) };
  size_t at = sizeof head;
  memcpy(message, head, at);
  memcpy(message + at, name, head[12]); at += head[12];
  for (u64 i = 0; i < sizes[0]; at += sizes[++i]) memcpy(message + at, arguments[i], sizes[i + 1]);
  for (int i = 0; i < managedCount; i++) if (managed[i].at) toDevice(managed[i].at, managed[i].at, managed[i].size);
  e = ask(LAUNCH, message, at, 0, 0, 0);
  for (int i = 0; i < managedCount; i++) if (managed[i].at) toHost(managed[i].at, managed[i].at, managed[i].size);
  // A launch itself succeeds: what happens in the kernel is told by whoever waits for it.
  if (e >= 700) { fault = e; last_error = e = 0; }
  return e;
}
int cudaLaunchKernel(const void *host, extent grid, extent block, void **arguments, size_t shared, void *stream) { return launch(host, grid, block, arguments, shared, (attributes){ 0 }); }
int __cudaLaunchKernel(const void *host, extent grid, extent block, void **arguments, size_t shared, void *stream) { return launch(host, grid, block, arguments, shared, (attributes){ 0 }); }
int cudaLaunchCooperativeKernel(const void *host, extent grid, extent block, void **arguments, size_t shared, void *stream) { return launch(host, grid, block, arguments, shared, (attributes){ 1 }); }
int __cudaGetKernel(const void **kernel, const void *host) { *kernel = host; return 0; }
int cudaDeviceSynchronize(void) { if (fault) last_error = fault; return fault; }
int cudaStreamSynchronize(void *stream) { return cudaDeviceSynchronize(); }
int cudaGetLastError(void) { int e = last_error; last_error = 0; return e; }
int cudaPeekAtLastError(void) { return last_error; }
const char *cudaGetErrorString(int e) { return e ? "an error" : "no error"; }
const char *cudaGetErrorName(int e) { return e ? "cudaError" : "cudaSuccess"; }

// ------------------------------------------------------------------------------------------------- what there is one of
#define DONE(name, ...) int name(__VA_ARGS__) { return 0; }
DONE(cudaDeviceReset, void) DONE(cudaSetDevice, int device) DONE(cudaSetDeviceFlags, unsigned flags)
DONE(cudaDeviceSetLimit, int limit, size_t value) DONE(cudaDeviceSetCacheConfig, int config)
DONE(cudaFuncSetAttribute, const void *host, int attribute, int value) DONE(cudaFuncSetCacheConfig, const void *host, int config)
DONE(cudaMemAdvise, const void *p, size_t size) DONE(cudaMemPrefetchAsync, const void *p, size_t size)
DONE(cudaStreamDestroy, void *stream) DONE(cudaStreamWaitEvent, void *stream, void *event) DONE(cudaStreamQuery, void *stream)
DONE(cudaEventRecord, void *event, void *stream) DONE(cudaEventSynchronize, void *event) DONE(cudaEventQuery, void *event)
DONE(cudaEventDestroy, void *event) DONE(cudaProfilerStart, void) DONE(cudaProfilerStop, void)
DONE(cudaMemPoolSetAttribute, void *pool, int attribute, void *value)
DONE(cudaMemPoolTrimTo, void *pool, size_t size) DONE(cudaCtxResetPersistingL2Cache, void)
DONE(cudaStreamSetAttribute, void *stream, int attribute, const void *value) DONE(cudaHostUnregister, void *p)
int cudaDeviceGetDefaultMemPool(void **pool, int device) { *pool = 0; return 0; }
int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data) { function(data); return 0; }
int cudaStreamAddCallback(void *stream, void (*function)(void *, int, void *), void *data, unsigned flags) { function(stream, fault, data); return 0; }
int cudaStreamCreateWithPriority(void **stream, unsigned flags, int priority) { *stream = 0; return 0; }
int cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return 0; }
int cudaDeviceGetLimit(size_t *value, int limit) { *value = 1 << 20; return 0; }
int cudaGetDevice(int *device) { *device = 0; return 0; }
int cudaGetDeviceCount(int *count) { *count = 1; return 0; }
int cudaStreamCreate(void **stream) { *stream = 0; return 0; }
int cudaStreamCreateWithFlags(void **stream, unsigned flags) { *stream = 0; return 0; }
int cudaEventCreate(void **event) { *event = 0; return 0; }
int cudaEventCreateWithFlags(void **event, unsigned flags) { *event = 0; return 0; }
int cudaEventElapsedTime(float *milliseconds, void *start, void *end) { *milliseconds = 1; return 0; }
int cudaMemGetInfo(size_t *free, size_t *total) { *free = *total = 4ull << 30; return 0; }
int cudaDriverGetVersion(int *version) { *version = 13000; return 0; }
int cudaRuntimeGetVersion(int *version) { *version = 13000; return 0; }
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *host, int block, size_t shared) { *blocks = 2; return 0; }
int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *host, int block, size_t shared, unsigned flags) { *blocks = 2; return 0; }

/** With attributes, of which these matter here: cooperative launches, clusters, programmatic dependent launches. */
#include <driver_types.h>
int cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host, void **arguments) {
  attributes with = { 0 };
  for (unsigned i = 0; i < config->numAttrs; i++) {
    const cudaLaunchAttributeValue *value = &config->attrs[i].val;
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) with.cluster = (extent){ value->clusterDim.x, value->clusterDim.y, value->clusterDim.z };
    if (config->attrs[i].id == cudaLaunchAttributeCooperative) with.cooperative = value->cooperative;
    if (config->attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization) with.dependent = value->programmaticStreamSerializationAllowed;
  }
  extent grid = { config->gridDim.x, config->gridDim.y, config->gridDim.z }, block = { config->blockDim.x, config->blockDim.y, config->blockDim.z };
  return launch(host, grid, block, arguments, config->dynamicSmemBytes, with);
}
int cudaOccupancyMaxPotentialClusterSize(int *size, const void *host, const cudaLaunchConfig_t *config) { *size = 8; return 0; }
int cudaOccupancyMaxActiveClusters(int *count, const void *host, const cudaLaunchConfig_t *config) { *count = 1; return 0; }
int cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent size) {
  *p = (struct cudaPitchedPtr){ .xsize = size.width, .ysize = size.height };
  return cudaMallocPitch(&p->ptr, &p->pitch, size.width, size.height * size.depth);
}
/** Shared memory of a multiprocessor, bytes. */
static int shared(void) { return architecture() < 90 ? 102400 : 233472; }
/** A device of the compute capability compiled for, with few multiprocessors, so that programs which fill it stay small. */
int cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *host) {
  *attributes = (struct cudaFuncAttributes){ .maxThreadsPerBlock = 1024, .numRegs = 32, .ptxVersion = architecture(), .binaryVersion = architecture(), .maxDynamicSharedSizeBytes = 49152 };
  return 0;
}
int cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  *p = (struct cudaDeviceProp){ .name = "ptxkit", .totalGlobalMem = 4ull << 30, .sharedMemPerBlock = 49152, .regsPerBlock = 65536,
    .warpSize = 32, .maxThreadsPerBlock = 1024, .maxThreadsDim = { 1024, 1024, 64 }, .maxGridSize = { 2147483647, 65535, 65535 },
    .totalConstMem = 65536, .major = architecture() / 10, .minor = architecture() % 10, .multiProcessorCount = 4, .maxThreadsPerMultiProcessor = 2048,
    .concurrentKernels = 1, .managedMemory = 1, .concurrentManagedAccess = 1, .cooperativeLaunch = 1, .unifiedAddressing = 1,
    .sharedMemPerMultiprocessor = shared(), .sharedMemPerBlockOptin = shared() - 1024, .l2CacheSize = 4 << 20,
    .canMapHostMemory = 1, .asyncEngineCount = 1, .clusterLaunch = architecture() >= 90, .maxThreadsPerMultiProcessor = 2048, .regsPerMultiprocessor = 65536,
    .texturePitchAlignment = 32, .maxTexture1D = 131072, .maxTexture2D = { 131072, 65536 }, .maxTexture3D = { 16384, 16384, 16384 } };
  return 0;
}
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  const struct { int attribute, value; } all[] = {
    { 1, 1024 }, { 2, 1024 }, { 3, 1024 }, { 4, 64 }, { 5, 2147483647 }, { 6, 65535 }, { 7, 65535 }, { 8, 49152 }, { 9, 65536 },
    { 10, 32 }, { 12, 65536 }, { 13, 1410000 }, { 16, 4 }, { 39, 2048 }, { 75, architecture() / 10 }, { 76, architecture() % 10 }, { 81, shared() }, { 83, 1 }, { 89, 1 },
    { 95, 1 }, { 97, shared() - 1024 }, { 120, architecture() >= 90 } };
  *value = 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) if (all[i].attribute == attribute) *value = all[i].value;
  return 0;
}
