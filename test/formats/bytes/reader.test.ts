import test from "ava";
import fc from "fast-check";
import { decoding, malformed, need } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import { fail } from "../../../formats/bytes/result.js";
import { ByteWriter } from "../../../formats/bytes/writer.js";

test("fields are read in the order and width in which they were written", (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xff }),
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0, max: 0xffff_ffff }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      fc.double(),
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")),
      (a, b, c, d, e, f, text) => {
        const writer = new ByteWriter(1);
        writer.u8(a);
        writer.u16(b);
        writer.u32(c);
        writer.u64(d);
        writer.i32(e);
        writer.f64(f);
        writer.cstring(text);
        writer.align(16);
        const reader = new ByteReader(writer.finish());
        t.deepEqual(
          [reader.u8("a"), reader.u16("b"), reader.u32("c"), reader.u64("d"), reader.i32("e")],
          [a, b, c, d, e],
        );
        t.is(reader.f64("f"), f);
        t.is(reader.cstring("text"), text);
        reader.align(16, "padding");
        t.is(reader.remaining, 0);
      },
    ),
  );
});

test("a read past the end leaves the decoder with offset, need and noun", (t) => {
  const result = decoding(() => {
    const reader = new ByteReader(Uint8Array.of(1, 2, 3), 1000);
    reader.u8("first");
    return reader.u32("second");
  });
  t.deepEqual(result, fail({ code: "truncated", offset: 1001, what: "second: 4 bytes needed, 2 left" }));
});

test("a window ends at its limit, and its errors count from the start of the input", (t) => {
  const result = decoding(() => {
    const outer = new ByteReader(Uint8Array.of(1, 2, 3, 4, 5, 6), 10);
    outer.skip(2, "head");
    const inner = outer.window(2, "body");
    inner.u16("pair");
    t.is(outer.u8("after"), 5);
    return inner.u8("third");
  });
  t.like(result, { ok: false, error: { code: "truncated", offset: 14 } });
});

test("text without its NUL byte, seeks outside and sizes above 2^53 are malformed input", (t) => {
  const ones = new Uint8Array(8).fill(0xff);
  t.like(
    decoding(() => new ByteReader(ones).cstring("name")),
    { ok: false, error: { code: "malformed" } },
  );
  t.like(
    decoding(() => new ByteReader(ones).seek(9, "table")),
    { ok: false, error: { code: "out-of-range" } },
  );
  t.like(
    decoding(() => new ByteReader(ones).size64("size")),
    { ok: false, error: { code: "out-of-range" } },
  );
});

test("decoding turns malformed input into a result, and lets defects of our own through", (t) => {
  const inner = decoding(() => malformed("limit", 7, "too much"));
  t.like(
    decoding(() => need(inner)),
    { ok: false, error: { code: "limit", offset: 7, what: "too much" } },
  );
  t.throws(
    () =>
      decoding(() => {
        throw new TypeError("ours");
      }),
    { instanceOf: TypeError },
  );
});

test("a writer grows, patches, and refuses values that do not fit", (t) => {
  const writer = new ByteWriter(1);
  writer.u32(0);
  writer.zeros(1000);
  writer.patchU32(0, 0xdead_beef);
  t.is(writer.length, 1004);
  t.is(new ByteReader(writer.finish()).u32("patched"), 0xdead_beef);
  t.throws(() => writer.u8(256), { instanceOf: RangeError });
  t.throws(() => writer.u16(-1), { instanceOf: RangeError });
  t.throws(() => writer.u32(1.5), { instanceOf: RangeError });
  t.throws(() => writer.u64(2n ** 64n), { instanceOf: RangeError });
  t.throws(() => writer.patchU32(1001, 0), { instanceOf: RangeError });
});
