struct Base { virtual __device__ int f(int) = 0; };
struct A : Base { __device__ int f(int x) { return x ? f(x-1)+1 : 0; } };
struct B : Base { __device__ int f(int x) { return x*2; } };
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n-1) + fib(n-2); }
__global__ void k1(int *p) { Base *b = *p ? (Base*)new A : (Base*)new B; *p = b->f(*p); }
__global__ void k2(int *p) { *p = fib(*p); }
__global__ void k3(int *p) { *p = fib(*p) + 1; }
