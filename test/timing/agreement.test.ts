// The statistics of the validation against hardware, and the inputs that its kernels are given.

import test from "ava";
import { hashes, inputFile } from "../../bench/validation/inputs.js";
import { agreementOf } from "../../bench/validation/statistics.js";
import { readNpy } from "../../formats/npy/index.js";

test("agreement of perfect predictions, and of ones that are off by a factor", (t) => {
  const measured = [10, 200, 3000];
  const right = agreementOf(measured.map((value) => ({ predicted: value, measured: value })));
  t.like(right, { meanError: 0, medianError: 0, geometricError: 0, bias: 1, withinFifth: 1 });
  t.true(Math.abs(right.correlation - 1) < 1e-12);
  const half = agreementOf(measured.map((value) => ({ predicted: value / 2, measured: value })));
  t.is(half.meanError, 0.5);
  t.true(Math.abs(half.geometricError - 1) < 1e-12 && Math.abs(half.bias - 0.5) < 1e-12);
  t.is(half.withinFifth, 0);
});

test("tied values share their ranks", (t) => {
  const pairs = [1, 1, 2].map((predicted, i) => ({ predicted, measured: i === 2 ? 9 : 4 }));
  t.true(Math.abs(agreementOf(pairs).rankCorrelation - 1) < 1e-12);
});

test("inputs are a hash of the index: SplitMix64's finaliser, upper half", (t) => {
  const mask = 2n ** 64n - 1n;
  const expected = (x: bigint): number => {
    let z = (x * 0x9e3779b97f4a7c15n) & mask;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((z ^ (z >> 31n)) >> 32n);
  };
  const seed = 3;
  const start = BigInt(seed) * 0x9e3779b9n + 1n;
  t.deepEqual(
    [...hashes(5, seed)],
    [0n, 1n, 2n, 3n, 4n].map((i) => expected(start + i)),
  );
});

test("a file's name gives its contents", (t) => {
  const read = readNpy(inputFile("u32_8_255_1.npy"));
  t.true(read.ok && read.value.type === "u4" && read.value.data.length === 32);
  const cycle = readNpy(inputFile("cycle_16.npy"));
  const next = new Uint32Array((cycle as { value: { data: Uint8Array } }).value.data.slice().buffer);
  const seen = new Set<number>();
  for (let at = 0; !seen.has(at); at = next[at]!) seen.add(at);
  t.is(seen.size, 16);
  t.throws(() => inputFile("nothing_1.npy"), { message: /no rule/ });
});
