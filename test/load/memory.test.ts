import test from "ava";
import { GLOBAL_BASE, spaceOf, windowBase } from "../../lib/load/address-space.js";
import { createMemory } from "../../lib/load/memory.js";

test("allocations are zeroed, aligned, apart, and found by any address in them", (t) => {
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

test("an access that begins inside and ends outside is not found", (t) => {
  const memory = createMemory();
  const { base } = memory.allocate(6);
  t.is(memory.find(base + 4, 4), undefined);
});

test("released memory is gone, and its address is not given out again", (t) => {
  const memory = createMemory();
  const { base } = memory.allocate(64);
  t.true(memory.release(base));
  t.false(memory.release(base));
  t.is(memory.find(base, 1), undefined);
  t.is(memory.allocatedBytes, 0);
  t.not(memory.allocate(64).base, base);
});

test("the limit refuses, and nothing is allocated", (t) => {
  const memory = createMemory(1000);
  memory.allocate(900);
  t.throws(() => memory.allocate(101), { instanceOf: RangeError, message: /900 of 1000/ });
  t.throws(() => memory.allocate(-1), { instanceOf: RangeError });
  t.is(memory.allocatedBytes, 900);
});

test("windows are told apart by address", (t) => {
  for (const space of ["shared", "local", "const", "param"] as const) {
    t.is(spaceOf(windowBase(space)), space);
    t.is(spaceOf(windowBase(space) + 2 ** 32 - 1), space);
  }
  t.is(spaceOf(0), undefined);
  t.is(spaceOf(windowBase("code")), undefined);
  t.is(spaceOf(GLOBAL_BASE), "global");
});
