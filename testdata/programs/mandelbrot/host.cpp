#include "host.hpp"

int main() {
  const int width = 70, height = 50, limit = 60;
  const float left = -2.1f, top = 1.2f, step = 0.045f;
  std::vector<host::u8> image(width * height);
  for (int py = 0; py < height; py++)
    for (int px = 0; px < width; px++) {
      float scaledX = static_cast<float>(px) * step, scaledY = static_cast<float>(py) * step;
      float cx = left + scaledX, cy = top - scaledY, x = 0, y = 0;
      int count = 0;
      for (; count < limit; count++) {
        float xx = x * x, yy = y * y;
        if (!(xx + yy <= 4.0f)) break;
        y = std::fmaf(2.0f * x, y, cy);
        x = xx - yy + cx;
      }
      image[py * width + px] = static_cast<host::u8>(count);
    }
  host::Program program;
  program.zeros<host::u8>("image", image.size());
  using host::argF32, host::argS32;
  program.launch("mandelbrot", {3, 7}, {32, 8},
                 {host::buffer("image"), argS32(width), argS32(height), argF32(left), argF32(top), argF32(step), argS32(limit)});
  program.expect("image", image);
  return program.write();
}
