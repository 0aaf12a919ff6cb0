import test from "ava";
import { createArena, releaseBytes, type ArenaBlock, allocateBytes } from "../../lib/load/arena.js";

const arena = createArena()!;

test("bytes are zero, do not overlap, and are at the offset returned", (t) => {
  const sizes: readonly number[] = [0, 1, 256, 257, 5000, 100_000, 3_000_000];
  const blocks = sizes.map((size) => arena.take(size)!);
  blocks.forEach(({ bytes, offset }, i) => {
    t.is(bytes.length, sizes[i]!);
    t.is(offset % 256, 0);
    t.true(bytes.every((byte) => byte === 0));
    bytes.fill(i + 1);
  });
  const all = new Uint8Array(arena.memory.buffer);
  blocks.forEach(({ bytes, offset }, i) => {
    t.true(bytes.every((byte) => byte === i + 1));
    if (bytes.length > 0) t.is(all[offset + bytes.length - 1], i + 1);
  });
});

test("views stay valid when the arena grows", (t) => {
  const before = arena.take(16)!;
  before.view.setInt32(0, 42);
  const size = arena.memory.buffer.byteLength;
  arena.take(size);
  t.true(arena.memory.buffer.byteLength > size);
  t.is(new DataView(arena.memory.buffer, before.offset).getInt32(0), 42);
  before.view.setInt32(0, 43);
  t.is(new DataView(arena.memory.buffer, before.offset).getInt32(0), 43);
});

test("released bytes are reused, and zeroed", (t) => {
  const first = arena.take(70_000)!;
  first.bytes.fill(255);
  releaseBytes(arena, first);
  const second = arena.take(69_999)!;
  t.is(second.offset, first.offset);
  t.true(second.bytes.every((byte) => byte === 0));
});

test("a block that does not fit is allocated outside the arena", (t) => {
  t.is(arena.take(2 ** 32), undefined);
  const elsewhere = allocateBytes(undefined, 100);
  t.is(elsewhere.offset, -1);
  t.is(elsewhere.bytes.length, 100);
  t.notThrows(() => releaseBytes(arena, elsewhere));
});

test("large blocks of ever different sizes take no more than the peak of live bytes", (t) => {
  const own = createArena()!;
  const MIB = 2 ** 20;
  for (let round = 0; round < 40; round++) {
    const first = own.take((1 + round / 3) * MIB)!;
    const second = own.take((17 - round / 3) * MIB)!;
    t.true(second.bytes.at(-1) === 0 && first.bytes.at(-1) === 0);
    first.bytes.fill(255, -1);
    second.bytes.fill(255, -1);
    for (const each of round % 2 === 0 ? [first, second] : [second, first]) own.giveBack(each);
  }
  t.true(own.memory.buffer.byteLength < 30 * MIB, `${own.memory.buffer.byteLength}`);
});

test("small blocks released make room for a large one", (t) => {
  const own = createArena()!;
  const small: ArenaBlock[] = [];
  for (let each = own.take(2 ** 19); each !== undefined; each = own.take(2 ** 19)) small.push(each);
  t.true(small.length > 8000);
  t.is(own.take(2 ** 24), undefined);
  small.slice(0, 40).forEach((each) => own.giveBack(each));
  const large = own.take(2 ** 24)!;
  t.is(large.bytes.length, 2 ** 24);
  t.not(own.take(2 ** 19), undefined);
});
