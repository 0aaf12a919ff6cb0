#include "host.hpp"

int main() {
  const int width = 50, height = 37;
  std::vector<host::s32> out(width * height);
  std::vector<double> in64(width * height), out64(width * height);
  host::Random random(6);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      in64[y * width + x] = random.unit() / 3.0;
      out[x * height + y] = y * width + x;
      out64[x * height + y] = in64[y * width + x];
    }
  host::Program program;
  program.iota<host::s32>("in", width * height);
  program.zeros<host::s32>("out", width * height);
  program.input("in64", in64);
  program.zeros<double>("out64", width * height);
  using host::argS32, host::buffer;
  program.launch("transpose32", {4, 3}, {16, 16}, {buffer("in"), buffer("out"), argS32(width), argS32(height)});
  program.launch("transpose64", {4, 3}, {16, 16}, {buffer("in64"), buffer("out64"), argS32(width), argS32(height)});
  program.expect("out", out);
  program.expect("out64", out64);
  return program.write();
}
