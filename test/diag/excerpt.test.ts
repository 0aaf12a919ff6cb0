import test from "ava";
import fc from "fast-check";
import { excerptOf, lineStartsOf, placeOfLine } from "../../lib/diag/excerpt.js";
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

test("the end of the file is a valid place, and a place past it has no excerpt", (t) => {
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

test("a place with a symbol and no column is where that name occurs as a whole word", (t) => {
  const bytes = Buffer.from("first\n  call (x$y), x$, %x, x; // x\nlast\n");
  const starts = lineStartsOf(bytes);
  const columnOf = (symbol: string, line = 2): number | undefined =>
    placeOfLine(bytes, starts, { kind: "line", file: "a.ptx", line, symbol })?.column;
  t.deepEqual(["x", "x$", "x$y", "call"].map((symbol) => columnOf(symbol)), [23, 15, 9, 3]); // prettier-ignore
  // The name is not on the line.
  t.deepEqual([columnOf("first"), columnOf("first", 1), columnOf("x", 9)], [3, 1, undefined]);
  t.like(placeOfLine(bytes, starts, { kind: "line", file: "a.ptx", line: 2, symbol: "x$y" }), { start: 14, end: 17 });
});

test("a name on a later line of the same statement is found there; in another statement it is not", (t) => {
  const bytes = Buffer.from("\tcall.uni (retval0), \n\tfoo, \n\t(\n\tparam0\n\t);\n\tret;\n\tcall foo;\n");
  const starts = lineStartsOf(bytes);
  const found = (symbol: string, line: number) =>
    placeOfLine(bytes, starts, { kind: "line", file: "a.ptx", line, symbol });
  t.like(found("foo", 1), { line: 2, column: 2, start: 23, end: 26 });
  t.like(found("param0", 1), { line: 4, column: 2 });
  t.like(found("foo", 6), { line: 6, column: 2 });
  t.like(found("ret", 1), { line: 1, column: 2 });
});

test("a name in the declaration whose own name is at the column, on its line or a later one", (t) => {
  const bytes = Buffer.from(".global .u64 f_tab[2] = { f, generic(g) };\n.global .u64 tab[] = {\n  f,\n  h\n};\nh\n");
  const starts = lineStartsOf(bytes);
  const found = (symbol: string, line: number, column = 14) =>
    placeOfLine(bytes, starts, { kind: "line", file: "a.ptx", line, column, symbol });
  t.like(found("f", 1), { line: 1, column: 27 });
  t.like(found("g", 1), { line: 1, column: 38 });
  t.like(found("h", 2), { line: 4, column: 3 });
  // Not the declaration's own name.
  t.like(found("h", 1), { line: 1, column: 14, start: 13, end: 18 });
});

test("a global's name in NVVM IR is marked with its '@'", (t) => {
  const bytes = Buffer.from("@ext = external global i32\n");
  const place = placeOfLine(bytes, lineStartsOf(bytes), { kind: "line", file: "a.ll", line: 1, column: 1 });
  t.like(place, { start: 0, end: 4 });
});
