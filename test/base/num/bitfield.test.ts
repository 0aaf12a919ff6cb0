import test from "ava";
import fc from "fast-check";
import * as bits from "../../../lib/base/num/bitfield.js";

// Definitions bit by bit, on an unsigned integer of `width` bits.
const bitOf = (x: bigint, place: number): bigint => (x >> BigInt(place)) & 1n;

function setBits(width: number, value: (place: number) => bigint): bigint {
  let result = 0n;
  for (let place = 0; place < width; place++) result |= value(place) << BigInt(place);
  return result;
}

/** 64-bit forms use whole operands, others their low 8 bits. */
const fieldOf = (start: number, length: number, width: number): readonly [number, number] =>
  width === 64 ? [start, length] : [start & 255, length & 255];

function extract(x: bigint, start: number, length: number, width: number, isSigned: boolean): bigint {
  const [[place, count], top] = [fieldOf(start, length, width), width - 1];
  const sign = isSigned && count > 0 ? bitOf(x, Math.min(place + count - 1, top)) : 0n;
  return setBits(width, (i) => (i < count && place + i <= top ? bitOf(x, place + i) : sign));
}

function insert(field: bigint, into: bigint, start: number, length: number, width: number): bigint {
  const [place, count] = fieldOf(start, length, width);
  return setBits(width, (i) => (i >= place && i - place < count ? bitOf(field, i - place) : bitOf(into, i)));
}

function findFirst(x: bigint, width: number, isSigned: boolean): number {
  const sign = isSigned ? bitOf(x, width - 1) : 0n;
  for (let place = width - 1; place >= 0; place--) if (bitOf(x, place) !== sign) return place;
  return 0xffffffff;
}

function findNth(mask: number, base: number, offset: number): number {
  const set = Array.from({ length: 32 }, (_, place) => place).filter((place) => ((mask >>> place) & 1) === 1);
  if (offset === -0x80000000) return 0;
  if (offset === 0) return set.includes(base) ? base : 0xffffffff;
  const found = offset > 0 ? set.filter((p) => p >= base) : set.filter((p) => p <= base).reverse();
  return found[Math.abs(offset) - 1] ?? 0xffffffff;
}

const u32 = fc.oneof(
  fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff),
  fc.integer({ min: 0, max: 0xffffffff }),
  fc.tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(31)).map(([x, n]) => x >>> n),
);
const u64 = fc.tuple(u32, u32).map(([high, low]) => (BigInt(high) << 32n) | BigInt(low));
const place = fc.oneof(fc.nat(70), fc.nat(600), fc.constant(0x80000000));
const signed64 = (x: bigint): bigint => BigInt.asIntN(64, x);
const holds = (property: fc.IRawProperty<unknown>) => () => fc.assert(property, { numRuns: 3000 });

test("bfe and bfi are their definitions, bit by bit", (t) => {
  t.notThrows(
    holds(
      fc.property(u32, u32, place, place, (a, b, start, length) => {
        const [x, y] = [BigInt(a), BigInt(b)];
        return (
          BigInt(bits.bfeU32(a, start, length)) === extract(x, start, length, 32, false) &&
          BigInt(bits.bfeS32(a | 0, start, length) >>> 0) === extract(x, start, length, 32, true) &&
          BigInt(bits.bfi32(a, b, start, length)) === insert(x, y, start, length, 32)
        );
      }),
    ),
  );
  t.notThrows(
    holds(
      fc.property(u64, u64, place, place, (a, b, start, length) => {
        const signed = BigInt.asUintN(64, bits.bfeS64(signed64(a), start, length));
        return (
          bits.bfeU64(a, start, length) === extract(a, start, length, 64, false) &&
          signed === extract(a, start, length, 64, true) &&
          bits.bfi64(a, b, start, length) === insert(a, b, start, length, 64)
        );
      }),
    ),
  );
});

test("popc, clz, brev and bfind are their definitions, bit by bit", (t) => {
  t.notThrows(
    holds(
      fc.property(u64, u32, (a, b) => {
        const x = BigInt(b);
        const ones = (y: bigint): number => y.toString(2).replaceAll("0", "").length;
        const zeros = (y: bigint, width: number): number => width - (y === 0n ? 0 : y.toString(2).length);
        return (
          bits.popc32(b) === ones(x) &&
          bits.popc64(a) === ones(a) &&
          bits.clz32(b) === zeros(x, 32) &&
          bits.clz64(a) === zeros(a, 64) &&
          BigInt(bits.brev32(b)) === setBits(32, (i) => bitOf(x, 31 - i)) &&
          bits.brev64(a) === setBits(64, (i) => bitOf(a, 63 - i)) &&
          bits.bfindU32(b, false) === findFirst(x, 32, false) &&
          bits.bfindS32(b | 0, false) === findFirst(x, 32, true) &&
          bits.bfindU64(a, false) === findFirst(a, 64, false) &&
          bits.bfindS64(signed64(a), false) === findFirst(a, 64, true)
        );
      }),
    ),
  );
});

test("bfind.shiftamt counts from the top and keeps not-found", (t) => {
  t.is(bits.bfindU32(1, true), 31);
  t.is(bits.bfindS32(-2, true), 31);
  t.is(bits.bfindS32(-1, true), 0xffffffff);
  t.is(bits.bfindS64(-1n, true), 0xffffffff);
  t.is(bits.bfindU64(1n << 62n, true), 1);
});

test("fns finds the n-th set bit upwards and downwards", (t) => {
  t.is(bits.fns32(0xaaaaaaaa, 3, 1), 3);
  t.is(bits.fns32(0xaaaaaaaa, 3, -1), 3);
  t.is(bits.fns32(0xaaaaaaaa, 2, 1), 3);
  t.is(bits.fns32(0xaaaaaaaa, 2, -1), 1);
  const offset = fc.integer({ min: -33, max: 33 });
  t.notThrows(
    holds(
      fc.property(u32, fc.nat(31), offset, (mask, base, n) => bits.fns32(mask, base, n) === findNth(mask, base, n)),
    ),
  );
});

test("szext and bmsk clamp or wrap what is out of range", (t) => {
  t.is(bits.szextU32(0xffffffff, 0, "wrap"), 0);
  t.is(bits.szextU32(0xffffffff, 33, "wrap"), 1);
  t.is(bits.szextU32(0xffffffff, 32, "clamp"), 0xffffffff);
  t.is(bits.szextS32(0x80, 8, "clamp"), -128);
  t.is(bits.szextS32(0x180, 40, "wrap"), -128);
  t.is(bits.szextS32(-5, 0xffffffff, "clamp"), -5);
  t.is(bits.szextS32(-5, 0, "clamp"), 0);
  t.is(bits.bmsk32(1, 2, "wrap"), 6);
  t.is(bits.bmsk32(32, 4, "clamp"), 0);
  t.is(bits.bmsk32(33, 4, "wrap"), 0x1e);
  t.is(bits.bmsk32(4, 32, "clamp"), 0xfffffff0);
  t.is(bits.bmsk32(4, 32, "wrap"), 0);
  t.is(bits.bmsk32(31, 31, "wrap"), 0x80000000);
});
