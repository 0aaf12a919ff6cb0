import test from "ava";
import { createFreeRanges } from "../../lib/load/free-ranges.js";

test("the lowest range with room is taken, and its remainder stays free", (t) => {
  const ranges = createFreeRanges();
  ranges.add({ offset: 100, size: 10 });
  ranges.add({ offset: 0, size: 5 });
  t.is(ranges.take(6), 100);
  t.is(ranges.take(6), undefined);
  t.is(ranges.take(4), 0);
  t.is(ranges.take(4), 106);
  t.is(ranges.take(2), undefined);
});

test("neighbours are joined, in any order", (t) => {
  const pieces = [0, 10, 20, 30].map((offset) => ({ offset, size: 10 }));
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [0, 2, 3, 1],
    [1, 3, 0, 2],
  ]) {
    const ranges = createFreeRanges();
    for (const index of order) ranges.add(pieces[index]!);
    t.is(ranges.take(40), 0, order.join());
    t.is(ranges.take(1), undefined);
  }
});

test("the range before an end is found, and no other", (t) => {
  const ranges = createFreeRanges();
  ranges.add({ offset: 0, size: 5 });
  ranges.add({ offset: 8, size: 4 });
  t.is(ranges.takeBefore(8), undefined);
  t.deepEqual(ranges.takeBefore(12), { offset: 8, size: 4 });
  t.is(ranges.takeBefore(12), undefined);
  t.is(ranges.take(5), 0);
});
