import test from "ava";
import type { Diagnostic, TextPlace } from "../../lib/diag/diagnostic.js";
import { renderText } from "../../lib/diag/render-text.js";

const text = "add.s32 a b;\n\tret\n";

function place(line: number, column: number, start: number, end: number): TextPlace {
  return { kind: "text", file: "a.ptx", line, column, start, end };
}

function diagnostic(parts: Partial<Diagnostic> = {}): Diagnostic {
  return { code: "syntax", severity: "error", message: "wrong", notes: [], ...parts };
}

const readText = (file: string): Uint8Array | undefined => (file === "a.ptx" ? Buffer.from(text) : undefined);

test("a message begins with its place and ends with its code", (t) => {
  const rendered = renderText([
    diagnostic({ place: place(1, 11, 10, 11) }),
    diagnostic({ place: { kind: "bytes", file: "a.o", offset: 64 } }),
    diagnostic({ place: { kind: "line", file: "a.cu", line: 7 }, severity: "warning" }),
    diagnostic({ place: { kind: "file", file: "lib.a(b.o)" } }),
    diagnostic(),
  ]);
  t.is(
    rendered,
    [
      "a.ptx:1:11: error: wrong [syntax]",
      "a.o:64: error: wrong [syntax]",
      "a.cu:7:1: warning: wrong [syntax]",
      "lib.a(b.o):1:1: error: wrong [syntax]",
      "ptxkit: error: wrong [syntax]",
      "",
    ].join("\n"),
  );
});

test("the line is shown with the place marked, tabs kept, then notes and remedy", (t) => {
  const rendered = renderText(
    [
      diagnostic({
        place: place(2, 2, 14, 17),
        notes: [{ message: "see here", place: place(1, 1, 0, 7) }, { message: "and think" }],
        remedy: "write ret;",
      }),
    ],
    { readText },
  );
  t.is(
    rendered,
    [
      "a.ptx:2:2: error: wrong [syntax]",
      " 2 | \tret",
      "   | \t^~~",
      "a.ptx:1:1: note: see here",
      " 1 | add.s32 a b;",
      "   | ^~~~~~~",
      "note: and think",
      "help: write ret;",
      "",
    ].join("\n"),
  );
});

test("three references are shown as other linkers write them, and the rest is counted", (t) => {
  const references = [7, 8, 9, 10, 11].map((line) => ({
    by: `'f${line}'`,
    place: { kind: "line", file: "b", line } as const,
  }));
  const meant = { name: "x", place: { kind: "line", file: "c", line: 3 } } as const;
  const linesFor = (count: number) =>
    renderText([diagnostic({ references: references.slice(0, count), meant, notes: [{ message: "so" }] })])
      .trimEnd()
      .split("\n");
  const shown = [
    "ptxkit: error: wrong [syntax]",
    ">>> referenced by b:7 in 'f7'",
    ">>> referenced by b:8 in 'f8'",
    ">>> referenced by b:9 in 'f9'",
  ];
  const end = [">>> did you mean: x", ">>> defined in: c:3", "ptxkit: note: so"];
  t.deepEqual(linesFor(5), [...shown, ">>> referenced 2 more times", ...end]);
  t.deepEqual(linesFor(4), [...shown, ">>> referenced 1 more time", ...end]);
  t.deepEqual(linesFor(3), [...shown, ...end]);
  t.true(renderText([diagnostic({ references: [{ by: "'p'" }] })]).includes("\n>>> referenced by 'p'\n"));
});

test("after the limit the rest is counted", (t) => {
  const many = [
    diagnostic({ severity: "warning", message: "w" }),
    ...Array.from({ length: 5 }, (_, i) => diagnostic({ message: `e${i}` })),
    diagnostic({ severity: "warning", message: "w" }),
  ];
  const lines = renderText(many, { errorLimit: 2 }).trimEnd().split("\n");
  t.deepEqual(lines, [
    "ptxkit: warning: w [syntax]",
    "ptxkit: error: e0 [syntax]",
    "ptxkit: error: e1 [syntax]",
    "ptxkit: note: 3 more errors and 1 more warning not shown (--error-limit 2)",
  ]);
  t.is(renderText(many, { errorLimit: 0 }).trimEnd().split("\n").length, 7);
  t.false(renderText(many.slice(0, 3), { errorLimit: 2 }).includes("not shown"));
});

test("five warnings of one code are shown for each error of the limit, whatever else is reported", (t) => {
  const warnings = (code: Diagnostic["code"], count: number): readonly Diagnostic[] =>
    Array.from({ length: count }, () => diagnostic({ severity: "warning", message: "w", code }));
  const many = [...warnings("narrow-address", 13), ...warnings("syntax", 10), diagnostic({ message: "e" })];
  const lines = renderText(many, { errorLimit: 2 }).trimEnd().split("\n");
  t.is(lines.filter((line) => line.endsWith("[narrow-address]")).length, 10);
  t.is(lines.filter((line) => line.endsWith("[syntax]")).length, 11);
  t.is(lines.at(-1), "ptxkit: note: 3 more warnings not shown (--error-limit 2)");
  t.is(renderText(many, { errorLimit: 0 }).trimEnd().split("\n").length, 24);
});

test("a file that cannot be read is reported beyond the limit", (t) => {
  const unreadable = diagnostic({ code: "file-access", message: "cannot read b.ptx" });
  const many = [...Array.from({ length: 3 }, (_, i) => diagnostic({ message: `e${i}` })), unreadable];
  t.deepEqual(renderText(many, { errorLimit: 1 }).trimEnd().split("\n"), [
    "ptxkit: error: e0 [syntax]",
    "ptxkit: error: cannot read b.ptx [file-access]",
    "ptxkit: note: 2 more errors not shown (--error-limit 1)",
  ]);
});

test("control characters in names and messages never reach the terminal", (t) => {
  const rendered = renderText([
    diagnostic({ message: "'\u001b[31m\n\u202e'", place: { kind: "file", file: "a\u0007.ptx" } }),
  ]);
  t.is(rendered, "a\\x07.ptx:1:1: error: '\\x1B[31m\\x0A\\u{202E}' [syntax]\n");
});

test("a control character in a shown line takes one column", (t) => {
  const bytes = Buffer.from("a\u001b[31m b");
  const rendered = renderText([diagnostic({ place: place(1, 8, 7, 8) })], { readText: () => bytes });
  t.deepEqual(rendered.split("\n").slice(1, 3), [" 1 | a\u00b7[31m b", "   |        ^"]);
});

test("colour marks severity and place, and only where enabled", (t) => {
  const plain = renderText([diagnostic({ place: place(1, 1, 0, 3) })], { readText });
  const colored = renderText([diagnostic({ place: place(1, 1, 0, 3) })], { readText, color: true });
  t.false(plain.includes("\u001b"));
  t.is(colored.replace(/\u001b\[[0-9;]*m/g, ""), plain);
  t.true(colored.includes("\u001b[1;31merror:\u001b[0m"));
});

test("no diagnostics give no text", (t) => {
  t.is(renderText([]), "");
});

test("a place known by its line quotes that line, where the text is available", (t) => {
  const bytes = new TextEncoder().encode("first\r\n\t mov.u32 a, b; \r\n\r\n");
  const at = (line: number): string =>
    renderText([diagnostic({ place: { kind: "line", file: "a.ptx", line } })], { readText: () => bytes });
  t.is(at(2), "a.ptx:2:3: error: wrong [syntax]\n 2 | \t mov.u32 a, b; \n   | \t ^~~~~~~~~~~~~\n");
  for (const line of [3, 4, 5, 0]) t.is(at(line), `a.ptx:${line}:1: error: wrong [syntax]\n`);
});

test("of many definitions and notes the first eight are shown, and the rest is counted", (t) => {
  const at = (line: number) => ({ kind: "line", file: "m.ptx", line, object: "lib.a(m.o)" }) as const;
  const lines = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const rendered = renderText([
    diagnostic({
      definitions: lines.map((line) => ({ place: at(line), as: ".func f ()" })),
      notes: lines.slice(1).map((line) => ({ message: "here", place: at(line) })),
    }),
  ]).split("\n");
  t.deepEqual(rendered.slice(0, 3), [
    "ptxkit: error: wrong [syntax]",
    ">>> defined at m.ptx:1",
    ">>>            lib.a(m.o)",
  ]);
  t.deepEqual(rendered.slice(15, 19), [
    ">>> defined at m.ptx:8",
    ">>>            lib.a(m.o)",
    ">>> defined 2 more times",
    "m.ptx:2:1: note: here (in lib.a(m.o))",
  ]);
  t.deepEqual(rendered.slice(25), [
    "m.ptx:9:1: note: here (in lib.a(m.o))",
    "note: 1 more like these (--diagnostics json has all)",
    "",
  ]);
});

test("as many unreadable files are reported as other errors", (t) => {
  const unread = Array.from({ length: 5 }, (_, i) => diagnostic({ code: "file-access", message: `cannot read ${i}` }));
  const lines = renderText([...unread, diagnostic({ message: "e" })], { errorLimit: 2 })
    .trimEnd()
    .split("\n");
  t.deepEqual(lines, [
    "ptxkit: error: cannot read 0 [file-access]",
    "ptxkit: error: cannot read 1 [file-access]",
    "ptxkit: note: 4 more errors not shown (--error-limit 2)",
  ]);
  t.is(renderText(unread, { errorLimit: 0 }).trimEnd().split("\n").length, 5);
});
