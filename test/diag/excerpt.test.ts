import test from "ava";
import fc from "fast-check";
import { excerptOf } from "../../lib/diag/excerpt.js";
import type { TextPlace } from "../../lib/diag/diagnostic.js";

const at = (start: number, end: number): TextPlace => ({ kind: "text", file: "", line: 1, column: 1, start, end });

test("a line of a megabyte is cut to a window around the place", (t) => {
  const bytes = Buffer.from(`${"x".repeat(5e5)}HERE${"y".repeat(5e5)}`);
  const excerpt = excerptOf(bytes, at(500_000, 500_004))!;
  t.is(excerpt.text, `...${"x".repeat(60)}HERE${"y".repeat(96)}...`);
  t.is(excerpt.mark, `${" ".repeat(63)}^~~~`);
});

test("a place of several lines is marked to the end of its first", (t) => {
  t.deepEqual(excerptOf(Buffer.from("ab{\r\n}\n"), at(2, 6)), { text: "ab{", mark: "  ^" });
});

test("the end of the file is a place too, and beyond it is none", (t) => {
  t.deepEqual(excerptOf(Buffer.from("ab"), at(2, 2)), { text: "ab", mark: "  ^" });
  t.is(excerptOf(Buffer.from("ab"), at(3, 4)), undefined);
});

test("characters of several bytes take one column", (t) => {
  t.deepEqual(excerptOf(Buffer.from("// \u00e4\u00f6 x"), at(8, 9)), { text: "// \u00e4\u00f6 x", mark: "      ^" });
});

test("any place in any bytes has an excerpt of bounded length without line ends", (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), fc.nat(400), (bytes, start, length) => {
      const excerpt = excerptOf(bytes, at(start, start + length));
      if (excerpt === undefined) return start > bytes.length;
      return !/[\n\r]/.test(excerpt.text) && excerpt.text.length <= 170 && excerpt.mark.length <= 172;
    }),
  );
  t.pass();
});
