// ftz, prec-div, prec-sqrt and fma: f32 and f64 arithmetic under each, compared with libNVVM's code for the same
// option. testdata/nvvm/options/*.ptx is libNVVM 13's output for kernel.ll in the same folder, for compute_80 with
// -opt=3 -fma=0 and the option in the file's name (ftz=1, prec-div=0, prec-sqrt=0; none for none.ptx).

import { readFileSync } from "node:fs";
import test from "ava";
import { linkSources, openDevice } from "../../../lib/index.js";
import type { NvvmOptions } from "../../../lib/nvvm/options.js";
import { randomFrom } from "../../oracle/random.js";

const fileOf = (name: string): string =>
  readFileSync(new URL(`../../../../testdata/nvvm/options/${name}`, import.meta.url), "utf8");

const edges = [0, -0, 1e-45, -1e-45, 1.1e-38, -1.1e-38, 1.17549435e-38, 1e-40, 1, -1, 0.1, 3, 1e30, -1e30, 3.4e38, 65520, 6e-8, Infinity, -Infinity, NaN, -7.25, 16777217]; // prettier-ignore

const threads = 512;
/** Results of one thread. */
const columns = 21;

const random = randomFrom(7);
const bits = Array.from({ length: 2 * threads - 2 * edges.length ** 2 }, () => random.below(2 ** 32));
const input = new Float32Array([
  ...edges.flatMap((a) => edges.flatMap((b) => [a, b])),
  ...new Float32Array(Uint32Array.from(bits).buffer),
]);

/** Bits of each result; all NaNs are equal. */
async function valuesOf(name: string, text: string, nvvm: NvvmOptions): Promise<readonly number[]> {
  const device = openDevice(linkSources({ [name]: text }, { nvvm }));
  const from = device.alloc(new Uint8Array(input.buffer));
  const size = threads * columns * 4;
  const to = device.alloc(new Uint8Array(size));
  const { fault } = await device.launch("k", { grid: 1, block: threads, args: [from, to] });
  if (fault !== undefined) throw new Error(fault.message);
  const { buffer } = device.read(to, new Uint8Array(size)).slice();
  const floats = new Float32Array(buffer);
  return [...new Uint32Array(buffer)].map((word, i) => (Number.isNaN(floats[i]) ? 0x7fffffff : word));
}

const options: readonly (readonly [file: string, nvvm: NvvmOptions])[] = [
  ["none", {}],
  ["ftz", { ftz: true }],
  ["prec-div", { precDiv: false }],
  ["prec-sqrt", { precSqrt: false }],
];

test("each option gives the values of libNVVM's code, and these differ from those without options", async (t) => {
  const seen = new Set<string>();
  for (const [file, nvvm] of options) {
    const ours = await valuesOf("kernel.ll", fileOf("kernel.ll"), nvvm);
    const theirs = await valuesOf("kernel.ptx", fileOf(`${file}.ptx`), {});
    const differing = ours.flatMap((word, i) => (word === theirs[i] ? [] : [i]));
    t.deepEqual(
      differing.map((i) => [i % columns, input[2 * Math.floor(i / columns)], input[2 * Math.floor(i / columns) + 1]]),
      [],
      file,
    );
    seen.add(ours.join());
  }
  t.is(seen.size, options.length);
});

/** Columns of a·b + a, a·b - b, and d - d·e, each with the column of the same as llvm.fma. */
const contracted = [[9, 7], [10, 19], [11, 20]] as const; // prettier-ignore

test("with fma=1 products and sums are rounded once, and nothing else changes", async (t) => {
  const apart = await valuesOf("kernel.ll", fileOf("kernel.ll"), {});
  const together = await valuesOf("kernel.ll", fileOf("kernel.ll"), { fma: true });
  const expected = apart.map((word, i) => {
    const found = contracted.find(([column]) => column === i % columns);
    return found === undefined ? word : apart[i - found[0] + found[1]]!;
  });
  t.deepEqual(together, expected);
  t.notDeepEqual(together, apart);
});
