import test from "ava";
import { createArena, giveBytesBack, takeBytes } from "../../lib/load/arena.js";

const arena = createArena()!;

test("bytes are zero, apart, and where their offset says", (t) => {
  const sizes: readonly number[] = [0, 1, 256, 257, 5000, 100_000, 3_000_000];
  const stretches = sizes.map((size) => arena.take(size)!);
  stretches.forEach(({ bytes, offset }, i) => {
    t.is(bytes.length, sizes[i]!);
    t.is(offset % 256, 0);
    t.true(bytes.every((byte) => byte === 0));
    bytes.fill(i + 1);
  });
  const all = new Uint8Array(arena.memory.buffer);
  stretches.forEach(({ bytes, offset }, i) => {
    t.true(bytes.every((byte) => byte === i + 1));
    if (bytes.length > 0) t.is(all[offset + bytes.length - 1], i + 1);
  });
});

test("views stay good when it grows", (t) => {
  const before = arena.take(16)!;
  before.view.setInt32(0, 42);
  const size = arena.memory.buffer.byteLength;
  arena.take(size);
  t.true(arena.memory.buffer.byteLength > size);
  t.is(new DataView(arena.memory.buffer, before.offset).getInt32(0), 42);
  before.view.setInt32(0, 43);
  t.is(new DataView(arena.memory.buffer, before.offset).getInt32(0), 43);
});

test("what is given back is taken again, and zero", (t) => {
  const first = arena.take(70_000)!;
  first.bytes.fill(255);
  giveBytesBack(arena, first);
  const second = arena.take(69_999)!;
  t.is(second.offset, first.offset);
  t.true(second.bytes.every((byte) => byte === 0));
});

test("what does not fit it is elsewhere", (t) => {
  t.is(arena.take(2 ** 32), undefined);
  const elsewhere = takeBytes(undefined, 100);
  t.is(elsewhere.offset, -1);
  t.is(elsewhere.bytes.length, 100);
  t.notThrows(() => giveBytesBack(arena, elsewhere));
});
