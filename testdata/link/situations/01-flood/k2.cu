#include "dev.h"
__global__ void kern2(Args a) { ncclFunction_AllReduce_RING_SIMPLE_Sum_int8_t(&a); ncclFunction_AllReduce_RING_SIMPLE_Sum_float(&a); if (a.n == 2) a.b[0] = other_table[a.n]; }
