// Calls whose target is known only at run time, and differs between the lanes of a warp.

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int exclusive(int a, int b) { return a ^ b; }

__constant__ Operation constantTable[4] = {add, subtract, multiply, exclusive};
__device__ Operation globalTable[4] = {exclusive, multiply, subtract, add};

__device__ __noinline__ int fold(Operation operation, const int* values, int n) {
  int result = 1;
  for (int i = 0; i < n; i++) result = operation(result, values[i]);
  return result;
}

class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};

class Rectangle : public Shape {
 public:
  __device__ Rectangle(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
  __device__ int corners() const override { return 4; }

 private:
  float width, height;
};

class Circle : public Shape {
 public:
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }

 private:
  float radius;
};

__device__ __noinline__ float describe(const Shape* shape) { return shape->area() + shape->corners(); }

extern "C" __global__ void tables(const int* a, const int* b, int* out) {
  int i = threadIdx.x;
  int first = constantTable[i % 4](a[i], b[i]);
  out[i] = globalTable[(i / 4) % 4](first, i);
}

extern "C" __global__ void folds(const int* values, int n, int* out) {
  int i = threadIdx.x;
  out[i] = fold(i % 3 == 0 ? add : i % 3 == 1 ? multiply : exclusive, values + i, n);
}

extern "C" __global__ void shapes(float* out) {
  int i = threadIdx.x;
  Rectangle rectangle(i * 0.5f, 3.0f);
  Circle circle(static_cast<float>(i));
  const Shape* shape = i % 5 < 2 ? static_cast<const Shape*>(&circle) : &rectangle;
  out[i] = describe(shape);
}
