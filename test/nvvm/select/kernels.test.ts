// Generated code is not wasteful: warp instructions of ten kernels of clang -O2, compared with those of llc -O2's PTX
// for the same module. `node dist/test/oracle/nvvm/kernels.js` counts the latter.

import test from "ava";
import { countKernel, kernelNames, kernelText } from "../../oracle/nvvm/kernels.js";

const llc: Readonly<Record<string, number>> = {
  collatz: 8659,
  dot: 1020,
  histogram: 512,
  machine: 6904,
  mandelbrot: 5172,
  matmul: 76032,
  nbody: 9392,
  saxpy: 152,
  stencil: 224,
  tiled: 38144,
};

const most = 1.15;

for (const name of kernelNames) {
  test(`${name} takes at most ${most} times as many warp instructions as llc -O2's`, async (t) => {
    const { warpInstructions } = await countKernel(name, "k.ll", kernelText(name));
    t.true(warpInstructions <= most * llc[name]!, `${warpInstructions}`);
  });
}
