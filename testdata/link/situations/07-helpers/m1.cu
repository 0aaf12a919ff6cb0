#include "h.h"
__global__ void k1(int *p) { *p = helper(*p) + table[*p]; }
