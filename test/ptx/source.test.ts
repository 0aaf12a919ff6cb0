import test from "ava";
import fc from "fast-check";
import { createPlaces, lineOf, placeOf } from "../../lib/ptx/source.js";

test("lines and columns count from one, and a line feed belongs to the line that it ends", (t) => {
  const source = { name: "a.ptx", bytes: Buffer.from("ab\n\ncd") };
  t.deepEqual(placeOf(source, { start: 0, end: 2 }), {
    kind: "text",
    file: "a.ptx",
    line: 1,
    column: 1,
    start: 0,
    end: 2,
  });
  t.deepEqual(
    [2, 3, 4, 5, 6].map((offset) => lineOf(source, offset)),
    [1, 2, 3, 3, 3],
  );
  t.is(placeOf(source, { start: 5, end: 6 }).column, 2);
});

test("the line of any offset is one more than the line feeds before it", (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\n", "a", "\r\n")), fc.nat(), (parts, at) => {
      const text = parts.join("");
      const offset = at % (text.length + 1);
      const expected = text.slice(0, offset).split("\n").length;
      return lineOf({ name: "", bytes: Buffer.from(text) }, offset) === expected;
    }),
  );
  t.pass();
});

test("places requested in any order equal the table's", (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("\n", "a", "b\n\n")), fc.array(fc.nat()), (parts, offsets) => {
      const text = parts.join("");
      const source = { name: "a", bytes: Buffer.from(text) };
      const places = createPlaces(source);
      for (const offset of offsets) {
        const start = offset % (text.length + 1);
        const range = { start, end: start + 1 };
        if (offset % 3 === 0) t.is(places.lineOf(start), lineOf(source, start));
        else t.deepEqual(places.placeOf(range), placeOf(source, range));
      }
    }),
  );
});
