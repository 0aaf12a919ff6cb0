#include "h.h"
__global__ void k2(int *p) { *p = helper(*p) + table[*p]; }
