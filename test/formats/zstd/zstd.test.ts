// The Zstandard decoder, on frames of zstd 1.5.4 (testdata/containers/make.sh) and damaged ones.
import test from "ava";
import { decompressZstd } from "../../../formats/zstd/index.js";
import { literalLengths, matchLengths, offsets } from "../../../formats/zstd/sequences.table.js";
import { containerBytes } from "../containers.js";
import { mutations, truncations } from "../hostile.js";
import { cubinBytes } from "../recorded.js";

const numbers = Buffer.from(Array.from({ length: 7000 }, (_, i) => `${i + 1}:_the_quick_brown_fox\n`).join(""));

const frames: readonly (readonly [file: string, holds: Uint8Array])[] = [
  ["numbers.19.zst", numbers],
  ["cubin.9.zst", cubinBytes("linked.sm_75.cubin")],
  ["cubin.fast.zst", cubinBytes("linked.sm_75.cubin")],
  ["zeros.3.zst", new Uint8Array(300_000)],
];

for (const [file, holds] of frames) {
  test(`${file} decompresses to its original`, (t) => {
    const result = decompressZstd(containerBytes(file), holds.length);
    t.true(result.ok && Buffer.from(result.value).equals(holds), JSON.stringify(result.ok ? "differs" : result.error));
  });

  test(`${file}: a wrong size is refused`, (t) => {
    for (const size of [0, holds.length - 1, holds.length + 1, 2 ** 40])
      t.false(decompressZstd(containerBytes(file), size).ok, `${size}`);
  });
}

test("frames are decoded one after another, and skippable frames are skipped", (t) => {
  const frame = containerBytes("cubin.9.zst");
  const skipped = Uint8Array.of(0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7);
  const holds = cubinBytes("linked.sm_75.cubin");
  const result = decompressZstd(Buffer.concat([frame, skipped, frame]), 2 * holds.length);
  t.true(result.ok && Buffer.from(result.value).equals(Buffer.concat([holds, holds])));
});

test("the distributions of RFC 8878 sum to their states, and their codes leave no gap", (t) => {
  for (const { name, counts, log, bases, bits } of [literalLengths, matchLengths, offsets]) {
    t.is(
      counts.reduce((sum, count) => sum + Math.abs(count), 0),
      2 ** log,
      name,
    );
    t.is(bases.length, bits.length, name);
  }
  t.is(literalLengths.bases.at(-1), 65536);
  t.is(matchLengths.bases.at(-1), 65539);
});

test("18 bytes that claim gigabytes of copies are refused at the first copy that does not fit", (t) => {
  const count = 40_000 - 0x7f00;
  const block = [0, 255, count & 255, count >> 8, 0x54, 0, 0, 52, 1];
  const head = 1 | (2 << 1) | (block.length << 3);
  const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 100, head & 255, head >> 8, 0, ...block);
  const result = decompressZstd(frame, 100);
  t.like(result, { ok: false, error: { code: "out-of-range" } });
});

test("a file that is not a frame, or needs a dictionary, is refused", (t) => {
  t.like(decompressZstd(Uint8Array.of(), 1), { ok: false });
  t.like(decompressZstd(new Uint8Array(20), 1), { ok: false, error: { code: "bad-magic", offset: 0 } });
  const dictionary = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x21, 9, 1, 0x0b, 0, 0, 65);
  t.like(decompressZstd(dictionary, 1), { ok: false, error: { code: "unsupported", offset: 4 } });
});

test("damaged and truncated frames give a result no larger than the size given", (t) => {
  const frame = containerBytes("cubin.9.zst");
  const size = cubinBytes("linked.sm_75.cubin").length;
  for (const bytes of truncations(frame, 7)) t.false(decompressZstd(bytes, size).ok);
  let refused = 0;
  for (const bytes of mutations(frame, 8878, 1500)) {
    const result = decompressZstd(bytes, size);
    if (result.ok) t.is(result.value.length, size);
    else refused++;
  }
  t.true(refused > 750);
});
