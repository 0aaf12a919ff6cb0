// What the files of the stand-in for CUDA's runtime share: messages to test/oracle/cuda-server.ts, and copies.
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
enum {
  MODULE = 1, ALLOCATE, RELEASE, WRITE, READ, COPY, FILL, SYMBOL, PARAMETERS, LAUNCH,
  IMAGE, IMAGE_RELEASE, IMAGE_WRITE, IMAGE_READ, TEXTURE, SURFACE, TENSOR_MAP
};
enum { TO_DEVICE = 1, TO_HOST, ON_DEVICE, BY_ADDRESS };

/** Sends two pieces of payload, and fills `answer`. The error that came back. */
int ask(u64 operation, const void *first, size_t firstBytes, const void *second, size_t secondBytes, void *answer);
/** Compute capability: 80, 90, ... */
int architecture(void);
