// Tensor maps of the stand-in for CUDA's runtime (runtime.c), and the few functions of CUDA's driver that programs ask the
// runtime for. The device behind it encodes a map from JSON, with the members of a launch specification.
#include "runtime.h"
#include <stdio.h>
#include <string.h>

static const char *types[] = { "u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f64", "bf16", "f32ftz", "tf32", "tf32ftz" };
static const char *interleaves[] = { "none", "16B", "32B" }, *swizzles[] = { "none", "32B", "64B", "128B" }, *fills[] = { "zero", "nan" };

typedef struct { char text[2048]; int length; } json;
#define ADD(j, ...) (j)->length += snprintf((j)->text + (j)->length, sizeof (j)->text - (j)->length, __VA_ARGS__)
#define LIST(j, name, values, count) \
  do { ADD(j, ",\"%s\":[", name); for (unsigned i = 0; i < (count); i++) ADD(j, "%s%lld", i ? "," : "", (long long)(values)[i]); ADD(j, "]"); } while (0)

static int begin(json *j, int type, unsigned rank, void *address, const u64 *dims, const u64 *strides, const uint32_t *elementStrides, int interleave, int swizzle, int fill) {
  // Types of 4 and 6 bits and swizzles of other atoms are of later architectures.
  if (type >= sizeof types / sizeof *types || swizzle > 3 || rank < 1 || rank > 5) return 1;
  ADD(j, "{\"address\":%zu,\"type\":\"%s\",\"interleave\":\"%s\",\"swizzle\":\"%s\",\"oobFill\":\"%s\"", (size_t)address, types[type], interleaves[interleave], swizzles[swizzle], fills[fill]);
  LIST(j, "dims", dims, rank);
  LIST(j, "strides", strides, rank - 1);
  LIST(j, "elementStrides", elementStrides, rank);
  return 0;
}
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const u64 *dims, const u64 *strides, const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle, int l2, int fill) {
  json j = { .length = 0 };
  if (begin(&j, type, rank, address, dims, strides, elementStrides, interleave, swizzle, fill)) return 1;
  LIST(&j, "box", box, rank);
  ADD(&j, "}");
  return ask(TENSOR_MAP, j.text, j.length, 0, 0, map);
}
int cuTensorMapEncodeIm2col(void *map, int type, uint32_t rank, void *address, const u64 *dims, const u64 *strides, const int *lower, const int *upper, uint32_t channels, uint32_t pixels, const uint32_t *elementStrides, int interleave, int swizzle, int l2, int fill) {
  json j = { .length = 0 };
  if (rank < 3 || begin(&j, type, rank, address, dims, strides, elementStrides, interleave, swizzle, fill)) return 1;
  LIST(&j, "lowerCorner", lower, rank - 2);
  LIST(&j, "upperCorner", upper, rank - 2);
  ADD(&j, ",\"mode\":\"im2col\",\"channelsPerPixel\":%u,\"pixelsPerColumn\":%u}", channels, pixels);
  return ask(TENSOR_MAP, j.text, j.length, 0, 0, map);
}
int cuTensorMapReplaceAddress(void *map, void *address) { memcpy(map, &address, 8); return 0; }
int cuInit(unsigned flags) { return 0; }
int cuGetErrorString(int e, const char **text) { *text = e ? "an error" : "no error"; return 0; }
int cuGetErrorName(int e, const char **text) { *text = e ? "CUDA_ERROR" : "CUDA_SUCCESS"; return 0; }

/** `status` 1: the symbol is not found. */
int cudaGetDriverEntryPoint(const char *name, void **function, u64 flags, int *status) {
  static const struct { const char *name; void *function; } all[] = {
    { "cuTensorMapEncodeTiled", cuTensorMapEncodeTiled }, { "cuTensorMapEncodeIm2col", cuTensorMapEncodeIm2col },
    { "cuTensorMapReplaceAddress", cuTensorMapReplaceAddress }, { "cuGetErrorString", cuGetErrorString }, { "cuGetErrorName", cuGetErrorName }, { "cuInit", cuInit } };
  *function = 0;
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) if (strcmp(all[i].name, name) == 0) *function = all[i].function;
  if (status) *status = *function == 0;
  return *function || status ? 0 : 500;
}
int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, u64 flags, int *status) { return cudaGetDriverEntryPoint(name, function, flags, status); }
