// A planted program and its clean twin: a kernel with BAD true, and one with BAD false.
#pragma once
#include <cuda_runtime.h>

#define BOTH(name, parameters)                    \
  template __global__ void name<true> parameters; \
  template __global__ void name<false> parameters;
