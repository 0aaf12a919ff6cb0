import test from "ava";
import type { Region } from "../../lib/load/region-list.js";
import { rounds } from "../sample.js";
import {
  ADDRESS_SPACES,
  addedTwice,
  ADDRESS_LIMIT,
  codeAddress,
  dataWindows,
  functionNumber,
  GLOBAL_BASE,
  spaceOf,
  unresolvedAddress,
  unresolvedSymbol,
  windowBase,
} from "../../lib/load/address-space.js";
import { createMemory, joinMemory } from "../../lib/load/memory.js";

test("allocations are zeroed and aligned, do not overlap, and are found by any address in them", (t) => {
  const memory = createMemory();
  const regions = [1, 100, 4096].map((size) => memory.allocate(size, 1024));
  for (const region of regions) {
    t.is(region.base % 1024, 0);
    t.true(region.base >= GLOBAL_BASE);
    t.is(memory.find(region.base, region.size), region);
    t.is(memory.find(region.base + region.size - 1, 1), region);
    t.is(memory.find(region.base + region.size, 1), undefined);
    t.is(memory.find(region.base - 1, 1), undefined);
    t.true(region.bytes.every((byte) => byte === 0));
  }
  t.is(memory.allocatedBytes, 4197);
});

test("an access that starts inside and ends outside is not found", (t) => {
  const memory = createMemory();
  const { base } = memory.allocate(6);
  t.is(memory.find(base + 4, 4), undefined);
});

test("released memory is inaccessible, and its address is not reused", (t) => {
  const memory = createMemory();
  const { base } = memory.allocate(64);
  t.true(memory.release(base));
  t.false(memory.release(base));
  t.is(memory.find(base, 1), undefined);
  t.is(memory.allocatedBytes, 0);
  t.not(memory.allocate(64).base, base);
});

test("live allocations are found after any releases, and released ones are not", (t) => {
  const memory = createMemory();
  const there = new Map(Array.from({ length: 1000 }, (_, i) => [i, memory.allocate(1 + (i % 300))]));
  const gone: Region[] = [];
  for (let step = 0, at = 1; step < 990; step++) {
    at = (at * 16807) % 2147483647;
    const [key, region] = [...there][at % there.size]!;
    t.true(memory.release(region.base));
    there.delete(key);
    gone.push(region);
  }
  const late = memory.allocate(8);
  t.is(memory.allocations, 11);
  for (const region of [...there.values(), late]) {
    t.is(memory.find(region.base, region.size), region);
    t.is(memory.nearest(region.base + 2000), region);
  }
  for (const { base } of gone) {
    t.is(memory.find(base, 1), undefined);
    t.false(memory.release(base));
    t.is(
      memory.nearest(base),
      [...there.values()].findLast((each) => each.base < base),
    );
  }
});

test("an allocation over the limit is refused, and changes nothing", (t) => {
  const memory = createMemory(1000);
  memory.allocate(900);
  t.throws(() => memory.allocate(101), { instanceOf: RangeError, message: /900 of 1000/ });
  t.throws(() => memory.allocate(-1), { instanceOf: RangeError });
  t.is(memory.allocatedBytes, 900);
});

test("reserved bytes without an allocation count towards the limit and the peak, in other threads, too", (t) => {
  const memory = createMemory(4096);
  memory.charge(4000);
  t.throws(() => memory.allocate(100), { message: /cannot allocate 100 bytes \(4000 of 4096 are in use\)/ });
  t.throws(() => memory.charge(97), { instanceOf: RangeError });
  const allocationLog = memory.share()!;
  const other = joinMemory(memory.arena!, allocationLog, 4096, ADDRESS_SPACES[64]);
  memory.charge(-3000);
  t.is(other.allocatedBytes, 1000);
  other.allocate(96);
  t.deepEqual([memory.allocatedBytes, memory.peakBytes, memory.allocations], [1096, 4000, 1]);
});

test("windows are distinguished by address", (t) => {
  for (const layout of Object.values(ADDRESS_SPACES)) {
    for (const space of ["shared", "local", "const", "param"] as const) {
      t.is(spaceOf(windowBase(space, layout), layout), space);
      t.is(spaceOf(windowBase(space, layout) + layout.windowBytes - 1, layout), space);
    }
    t.is(spaceOf(0, layout), undefined);
    t.is(spaceOf(windowBase("code", layout), layout), undefined);
    t.is(spaceOf(layout.globalBase, layout), "global");
    t.is(functionNumber(codeAddress(7, layout), layout), 7);
    t.is(unresolvedSymbol(unresolvedAddress(7, layout), layout), 7);
    t.is(spaceOf(layout.limit - 1, layout), "global");
    t.is(spaceOf(layout.limit, layout), undefined);
  }
});

test("sums of windows, and of one and a global address, are in no window and not in global memory", (t) => {
  const bases = dataWindows.map((space) => windowBase(space));
  for (const [i, one] of bases.entries())
    for (const [k, other] of bases.entries()) {
      const sum = one + other + 2 ** 25;
      t.is(spaceOf(sum), undefined);
      t.deepEqual(addedTwice(sum)?.toSorted(), [dataWindows[i]!, dataWindows[k]!].toSorted());
      for (const third of bases) t.is(spaceOf(sum + third), undefined);
    }
  for (const base of bases)
    for (const address of [GLOBAL_BASE, 2 * GLOBAL_BASE + 77, ADDRESS_LIMIT - 1]) {
      t.is(spaceOf(base + address), undefined);
      t.is(addedTwice(base + address), undefined);
    }
  t.is(addedTwice(windowBase("shared")), undefined);
});

test("32-bit addresses are reused when all have been given out", (t) => {
  const layout = ADDRESS_SPACES[32];
  const memory = createMemory(undefined, layout);
  const kept = memory.allocate(1000);
  let last = memory.allocate(2 ** 28);
  for (let i = 0; i < rounds(40, 2); i++) {
    const { base } = last;
    t.true(base + last.size <= layout.limit);
    t.true(memory.release(base));
    last = memory.allocate(2 ** 28 - i);
    last.bytes[0] = i;
    t.is(memory.find(last.base, last.size), last);
    t.is(memory.find(kept.base + 999, 1), kept);
  }
  const small = memory.allocate(16);
  t.is(memory.find(small.base, 16), small);
  t.is(memory.find(last.base + 7, 1), last);
  t.throws(() => memory.allocate(2 ** 32), { instanceOf: RangeError });
});
