import test from "ava";
import { codes } from "../../lib/diag/codes.table.js";
import { renderJson } from "../../lib/diag/render-json.js";
import { createSink } from "../../lib/diag/sink.js";

test("one document with all diagnostics, in the order found", (t) => {
  const sink = createSink();
  sink.report("syntax", "first", { kind: "text", file: "a.ptx", line: 1, column: 2, start: 1, end: 4 });
  sink.report("malformed-file", "second", undefined, {
    notes: [{ message: "n", place: { kind: "bytes", file: "a.o", offset: 5 } }, { message: "m" }],
    remedy: "r",
  });
  const text = renderJson(sink.all);
  t.true(text.endsWith("}\n"));
  t.deepEqual(JSON.parse(text), {
    diagnostics: [
      {
        severity: "error",
        code: "syntax",
        message: "first",
        place: { kind: "text", file: "a.ptx", line: 1, column: 2, start: 1, end: 4 },
        notes: [],
        remedy: codes.syntax.remedy,
      },
      {
        severity: "error",
        code: "malformed-file",
        message: "second",
        notes: [{ message: "n", place: { kind: "bytes", file: "a.o", offset: 5 } }, { message: "m" }],
        remedy: "r",
      },
    ],
  });
  t.is(renderJson(sink.all), text);
  const references = Array.from({ length: 9 }, () => ({ by: "'f'" }));
  const all = renderJson([{ code: "syntax", severity: "error", message: "x", notes: [], references }]);
  t.is((JSON.parse(all) as { diagnostics: { notes: unknown[] }[] }).diagnostics[0]!.notes.length, 9);
});

test("no diagnostics give a document, too", (t) => {
  t.deepEqual(JSON.parse(renderJson([])), { diagnostics: [] });
});
