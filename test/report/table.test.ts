import test from "ava";
import fc from "fast-check";
import { ansiStyler } from "../../lib/report/style.js";
import { renderTable, textWidth, wrapText, type Column } from "../../lib/report/table.js";

const columns: readonly Column[] = [
  { title: "SIZE", align: "right" },
  { title: "NAME", shrinks: true },
  { title: "WHAT", optional: true },
];

test("numbers are aligned right, names left, and no line ends in a blank", (t) => {
  t.deepEqual(
    renderTable(columns, [
      ["8", "a", "short"],
      ["1024", "longer", ""],
    ]),
    ["SIZE  NAME    WHAT", "   8  a       short", "1024  longer"],
  );
});

test("an empty column is left out, and headings appear between rows", (t) => {
  t.deepEqual(renderTable(columns, [{ heading: "Code" }, ["8", "a", ""]], { indent: 1 }), [
    " SIZE  NAME",
    " Code",
    "    8  a",
  ]);
  t.deepEqual(renderTable(columns, []), []);
});

test("explanations are dropped before names wrap", (t) => {
  const row = ["8", "x".repeat(30), "an explanation of some length"];
  t.deepEqual(renderTable(columns, [row], { width: 40 }), ["SIZE  NAME", `   8  ${"x".repeat(30)}`]);
  t.deepEqual(renderTable(columns, [row], { width: 26 }), [
    "SIZE  NAME",
    `   8  ${"x".repeat(20)}`,
    `      ${"x".repeat(10)}`,
  ]);
});

test("lines fit the terminal, and names are complete", (t) => {
  const names = fc.array(fc.string({ unit: fc.constantFrom("a", "b", ".", "_", "9"), minLength: 1, maxLength: 120 }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(names, fc.integer({ min: 24, max: 120 }), (cells, width) => {
      const [, ...lines] = renderTable(
        columns,
        cells.map((name) => ["7", name, ""]),
        { width },
      );
      t.true(lines.every((line) => line.length <= width));
      t.is(lines.map((line) => line.slice(6)).join(""), cells.join(""));
    }),
  );
});

test("texts wrap at blanks where one is near the end", (t) => {
  t.deepEqual(wrapText("one two three", 8), ["one two", "three"]);
  t.deepEqual(wrapText("abcdefghij", 4), ["abcd", "efgh", "ij"]);
  t.deepEqual(wrapText("short", 8), ["short"]);
});

test("colour changes no width, and control characters of a file never reach the terminal", (t) => {
  const coloured = renderTable([{ title: "NAME", role: "name" }, { title: "B" }], [["a\u001b[2J", "b"]], {
    style: ansiStyler,
  });
  const plain = renderTable([{ title: "NAME", role: "name" }, { title: "B" }], [["a\u001b[2J", "b"]]);
  t.deepEqual(
    coloured.map((line) => line.replace(/\u001b\[\d+m/g, "")),
    plain,
  );
  t.is(plain[1], "a\\x1B[2J  b");
  t.is(textWidth("a\u{1F600}b"), 3);
});
