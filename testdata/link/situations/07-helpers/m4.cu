#include "h2.h"
__global__ void k4(int *p) { *p = helper(*p) + table[*p]; }
