// Variables of every kind that `ptxkit debug` shows by name. Tests count its lines.
enum Kind { Small, Big = 7 };
enum class Sign : signed char { Minus = -1, Plus = 1 };
struct Point { float x, y; };
struct Shape { Kind kind; int tags[3]; };
union Bits { float value; unsigned bits; };
template <typename T> struct Range { T low, high; };
struct Item : Shape {
    Point at;
    Item *next;
    unsigned flag : 3, rest : 5;
    Bits bits;
    static int made;
    __device__ float sum(float scale) { float both = at.x + at.y; return both * scale; }
};

__device__ int counter = 5;
__constant__ float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
namespace world { __device__ Point origin = {0.5f, -0.5f}; }

__device__ __noinline__ long long factorial(int n)
{
    long long part = n < 2 ? 1 : factorial(n - 1);
    return n * part;
}

extern "C" __global__ void shapes(Point *points, int n, Point first, Range<double> range)
{
    __shared__ Point tile[32];
    int t = threadIdx.x;
    bool isLow = t < n;
    unsigned char letter = 'a' + t;
    double middle = (range.low + range.high) / 2;
    Sign sign = isLow ? Sign::Minus : Sign::Plus;
    Item item;
    item.kind = t & 1 ? Big : Small;
    for (int i = 0; i < 3; i++) { int square = i * i; item.tags[i] = square + t; }
    item.at = first;
    item.next = &item;
    item.flag = 5;
    item.rest = 17;
    item.bits.value = 1.5f;
    Point &point = points[t];
    Point *shared = &tile[t];
    *shared = point;
    __syncthreads();
    {
        float t = item.sum(2) + shared->x;
        point.y = t * table[1][2] + world::origin.x;
    }
    counter = (int)factorial(4) + letter + (int)sign;
    point.x = middle + item.tags[2];
}
