// CUDA arrays, and texture and surface objects of the stand-in for CUDA's runtime (runtime.c). Arrays are images of the device
// behind it; descriptions are sent to it as JSON, with the members of a launch specification.
#include "runtime.h"
#include <driver_types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <surface_types.h>
#include <texture_types.h>

enum { LAYERED = 1, CUBEMAP = 4 };
/** One level of an image. Extents in texels as the program gave them, 0 where it has none; `offset` in bytes. */
struct cudaArray { u64 image, offset; size_t width, height, depth, texelBytes; struct cudaChannelFormatDesc format; unsigned flags; };
struct cudaMipmappedArray { struct cudaArray first; unsigned levels; };

int cudaMemcpy(void *to, const void *from, size_t size, int kind);
static size_t atLeast1(size_t extent) { return extent ? extent : 1; }
static size_t half(size_t extent, unsigned level) { return extent == 0 ? 0 : atLeast1(extent >> level); }
static int channelsOf(struct cudaChannelFormatDesc d) { return (d.x > 0) + (d.y > 0) + (d.z > 0) + (d.w > 0); }
static size_t texelBytesOf(struct cudaChannelFormatDesc d) { return (d.x + d.y + d.z + d.w) / 8; }
static const char *formatOf(struct cudaChannelFormatDesc d) {
  static char name[8];
  snprintf(name, sizeof name, "%c%d", d.f == cudaChannelFormatKindSigned ? 's' : d.f == cudaChannelFormatKindUnsigned ? 'u' : 'f', d.x);
  return name;
}
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
  return (struct cudaChannelFormatDesc){ x, y, z, w, kind };
}

// -------------------------------------------------------------------------------------------------------------- arrays
static int makeImage(struct cudaArray *array, struct cudaExtent extent, unsigned levels) {
  static const char *kinds[2][4] = { { 0, "1d", "2d", "3d" }, { 0, "1dLayered", "2dLayered" } };
  int isCube = (array->flags & CUBEMAP) != 0, isLayered = (array->flags & LAYERED) != 0;
  int dimensions = 1 + (extent.height > 0) + (extent.depth > 0 && !isLayered);
  char json[512];
  int at = snprintf(json, sizeof json, "{\"kind\":\"%s\",\"format\":\"%s\",\"channels\":%d,\"levels\":%u,\"width\":%zu",
    isCube ? isLayered ? "cubeLayered" : "cube" : kinds[isLayered][dimensions], formatOf(array->format), channelsOf(array->format), levels, extent.width);
  if (extent.height > 0) at += snprintf(json + at, sizeof json - at, ",\"height\":%zu", extent.height);
  if (isLayered) at += snprintf(json + at, sizeof json - at, ",\"layers\":%zu", isCube ? extent.depth / 6 : extent.depth);
  else if (extent.depth > 0 && !isCube) at += snprintf(json + at, sizeof json - at, ",\"depth\":%zu", extent.depth);
  at += snprintf(json + at, sizeof json - at, "}");
  return ask(IMAGE, json, at, 0, 0, &array->image);
}
static struct cudaArray describe(const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags) {
  return (struct cudaArray){ .width = extent.width, .height = extent.height, .depth = extent.depth, .format = *format, .texelBytes = texelBytesOf(*format), .flags = flags };
}
int cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags) {
  *array = malloc(sizeof **array);
  **array = describe(format, extent, flags);
  return makeImage(*array, extent, 1);
}
int cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *format, size_t width, size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, format, (struct cudaExtent){ width, height, 0 }, flags);
}
int cudaFreeArray(cudaArray_t array) { int e = array ? ask(IMAGE_RELEASE, &array->image, 8, 0, 0, 0) : 0; free(array); return e; }
int cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned levels, unsigned flags) {
  *array = malloc(sizeof **array);
  (*array)->levels = levels; (*array)->first = describe(format, extent, flags);
  return makeImage(&(*array)->first, extent, levels);
}
int cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t of, unsigned level) {
  int keepsDepth = (of->first.flags & (LAYERED | CUBEMAP)) != 0;
  struct cudaArray found = of->first;
  for (unsigned i = 0; i < level; i++) {
    found.offset += found.texelBytes * found.width * atLeast1(found.height) * atLeast1(found.depth);
    found.width = half(of->first.width, i + 1); found.height = half(of->first.height, i + 1);
    found.depth = keepsDepth ? of->first.depth : half(of->first.depth, i + 1);
  }
  *array = malloc(sizeof found); // never given back, like the arrays of a level in CUDA
  **array = found;
  return 0;
}
int cudaFreeMipmappedArray(cudaMipmappedArray_t array) { return array ? ask(IMAGE_RELEASE, &array->first.image, 8, 0, 0, 0) : 0; }
int cudaArrayGetInfo(struct cudaChannelFormatDesc *format, struct cudaExtent *extent, unsigned *flags, cudaArray_t array) {
  if (format) *format = array->format;
  if (extent) *extent = (struct cudaExtent){ array->width, array->height, array->depth };
  if (flags) *flags = array->flags;
  return 0;
}
int cudaGetChannelDesc(struct cudaChannelFormatDesc *format, cudaArray_const_t array) { *format = array->format; return 0; }

// -------------------------------------------------------------------------------------------------------------- copies
/** One side of a copy: an array, or memory with its pitches in bytes. */
typedef struct { cudaArray_const_t array; char *memory; size_t pitch, slice; } side;

static side sideOfArray(cudaArray_const_t array) { return (side){ array, 0, array->texelBytes * array->width, array->texelBytes * array->width * atLeast1(array->height) }; }
static int moveBytes(side at, u64 offset, void *bytes, size_t count, int kind, int isWrite) {
  if (at.array == 0) return isWrite ? cudaMemcpy(at.memory + offset, bytes, count, kind == TO_HOST ? 0 : kind == BY_ADDRESS ? kind : TO_DEVICE)
                                    : cudaMemcpy(bytes, at.memory + offset, count, kind == TO_DEVICE ? 0 : kind == BY_ADDRESS ? kind : TO_HOST);
  u64 asked[3] = { at.array->image, at.array->offset + offset, count };
  return isWrite ? ask(IMAGE_WRITE, asked, 16, bytes, count, 0) : ask(IMAGE_READ, asked, 24, 0, 0, bytes);
}
/** Bytes of a row, rows and slices; whole slices go in one piece. */
static int copy(side to, u64 toOffset, side from, u64 fromOffset, size_t width, size_t height, size_t depth, int kind) {
  int isDense = to.pitch == width && from.pitch == width;
  size_t piece = isDense ? width * height : width, pieces = isDense ? 1 : height;
  char *bytes = malloc(piece ? piece : 1);
  int e = 0;
  for (size_t z = 0; z < depth; z++)
    for (size_t y = 0; y < pieces && !e; y++) {
      e = moveBytes(from, fromOffset + z * from.slice + y * from.pitch, bytes, piece, kind, 0);
      if (!e) e = moveBytes(to, toOffset + z * to.slice + y * to.pitch, bytes, piece, kind, 1);
    }
  free(bytes);
  return e;
}
int cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  size_t texel = p->srcArray ? p->srcArray->texelBytes : p->dstArray ? p->dstArray->texelBytes : 1;
  side to = p->dstArray ? sideOfArray(p->dstArray) : (side){ 0, p->dstPtr.ptr, p->dstPtr.pitch, p->dstPtr.pitch * p->dstPtr.ysize };
  side from = p->srcArray ? sideOfArray(p->srcArray) : (side){ 0, p->srcPtr.ptr, p->srcPtr.pitch, p->srcPtr.pitch * p->srcPtr.ysize };
  u64 toOffset = p->dstPos.z * to.slice + p->dstPos.y * to.pitch + p->dstPos.x * (p->dstArray ? texel : 1);
  u64 fromOffset = p->srcPos.z * from.slice + p->srcPos.y * from.pitch + p->srcPos.x * (p->srcArray ? texel : 1);
  return copy(to, toOffset, from, fromOffset, p->extent.width * texel, p->extent.height, p->extent.depth, p->kind);
}
int cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, void *stream) { return cudaMemcpy3D(p); }
int cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind) {
  side array = sideOfArray(to);
  return copy(array, y * array.pitch + x, (side){ 0, (char *)from, pitch }, 0, width, height, 1, kind);
}
int cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height, int kind, void *stream) { return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind); }
int cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, int kind) {
  side array = sideOfArray(from);
  return copy((side){ 0, to, pitch }, 0, array, y * array.pitch + x, width, height, 1, kind);
}
int cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX, size_t fromY, size_t width, size_t height, int kind) {
  side a = sideOfArray(to), b = sideOfArray(from);
  return copy(a, toY * a.pitch + toX, b, fromY * b.pitch + fromX, width, height, 1, kind);
}
/** As many bytes from there on, over the ends of rows. */
int cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t count, int kind) {
  side array = sideOfArray(to);
  return copy(array, y * array.pitch + x, (side){ 0, (char *)from }, 0, count, 1, 1, kind);
}
int cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t count, int kind) {
  side array = sideOfArray(from);
  return copy((side){ 0, to }, 0, array, y * array.pitch + x, count, 1, 1, kind);
}

// ------------------------------------------------------------------------------------------------------------- objects
int cudaCreateTextureObject(cudaTextureObject_t *object, const struct cudaResourceDesc *r, const struct cudaTextureDesc *t, const struct cudaResourceViewDesc *view) {
  static const char *modes[] = { "wrap", "clamp", "mirror", "border" }, *filters[] = { "point", "linear" }, *booleans[] = { "false", "true" };
  char json[1024];
  int at = 0, hasLevels = r->resType == cudaResourceTypeMipmappedArray;
  if (view) return 801;
#define ADD(...) at += snprintf(json + at, sizeof json - at, __VA_ARGS__)
  if (r->resType == cudaResourceTypeArray || hasLevels) ADD("{\"image\":%zu", (size_t)(hasLevels ? r->res.mipmap.mipmap->first.image : r->res.array.array->image));
  else if (r->resType == cudaResourceTypeLinear)
    ADD("{\"buffer\":{\"address\":%zu,\"size\":%zu},\"format\":\"%s\",\"channels\":%d,\"width\":%zu", (size_t)r->res.linear.devPtr, r->res.linear.sizeInBytes,
      formatOf(r->res.linear.desc), channelsOf(r->res.linear.desc), r->res.linear.sizeInBytes / texelBytesOf(r->res.linear.desc));
  else
    ADD("{\"buffer\":{\"address\":%zu,\"size\":%zu},\"format\":\"%s\",\"channels\":%d,\"width\":%zu,\"height\":%zu,\"pitch\":%zu", (size_t)r->res.pitch2D.devPtr,
      r->res.pitch2D.pitchInBytes * r->res.pitch2D.height, formatOf(r->res.pitch2D.desc), channelsOf(r->res.pitch2D.desc), r->res.pitch2D.width, r->res.pitch2D.height, r->res.pitch2D.pitchInBytes);
  ADD(",\"address\":[\"%s\",\"%s\",\"%s\"]", modes[t->addressMode[0]], modes[t->addressMode[1]], modes[t->addressMode[2]]);
  ADD(",\"filter\":\"%s\",\"normalized\":%s,\"read\":\"%s\"", filters[t->filterMode], booleans[t->normalizedCoords != 0], t->readMode == cudaReadModeElementType ? "element" : "normalized");
  ADD(",\"srgb\":%s,\"seamless\":%s", booleans[t->sRGB != 0], booleans[t->seamlessCubemap != 0]);
  ADD(",\"border\":[%.9g,%.9g,%.9g,%.9g]", t->borderColor[0], t->borderColor[1], t->borderColor[2], t->borderColor[3]);
  if (hasLevels) ADD(",\"mip\":{\"filter\":\"%s\",\"bias\":%.9g,\"min\":%.9g,\"max\":%.9g}", filters[t->mipmapFilterMode], t->mipmapLevelBias, t->minMipmapLevelClamp, t->maxMipmapLevelClamp);
  if (t->maxAnisotropy > 1) ADD(",\"maxAnisotropy\":%u", t->maxAnisotropy);
  ADD("}");
  return ask(TEXTURE, json, at, 0, 0, object);
}
int cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *r) {
  cudaArray_t array = r->res.array.array;
  u64 asked[2] = { array->image, array->offset };
  return ask(SURFACE, asked, 16, 0, 0, object);
}
int cudaDestroyTextureObject(cudaTextureObject_t object) { return 0; }
int cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return 0; }
