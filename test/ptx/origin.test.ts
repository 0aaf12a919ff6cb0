// Places of a text that was made from another are told in that one (Source.origin).

import test from "ava";
import type { Source } from "../../lib/ptx/source-text.js";
import { createPlaces, lineOf, placeOf } from "../../lib/ptx/source.js";

const original = 'define void @k() {\n  ret void  \n  asm "bar.sync 0;\\0Amov;"\n}\n';
const made = "\n.entry k() {\nret;\n{bar.sync 0;\nmov;}\n}\n";
const at = (text: string): number => original.indexOf(text);

const source: Source = {
  name: "a.ll",
  bytes: Buffer.from(made),
  origin: {
    source: { name: "a.ll", bytes: Buffer.from(original) },
    isText: true,
    offsets: [0, at("define"), at("ret"), at("asm"), at("asm"), at("}")],
    copies: [
      { start: made.indexOf("bar"), end: made.indexOf("bar") + 11, from: at("bar") },
      { start: made.indexOf("mov"), end: made.indexOf("mov") + 4, from: at("mov") },
    ],
  },
};

const rangeOf = (text: string) => ({ start: made.indexOf(text), end: made.indexOf(text) + text.length });

test("an origin names the line that the PTX line was made from, up to that line's last token", (t) => {
  const expected = { kind: "text", file: "a.ll", line: 2, column: 3, start: at("ret"), end: at("ret") + 8 };
  t.deepEqual(placeOf(source, rangeOf("ret")), expected as never);
  t.deepEqual(createPlaces(source).placeOf(rangeOf("ret")), expected as never);
  t.is(lineOf(source, made.indexOf("}\n")), 3);
  t.is(lineOf(source, made.lastIndexOf("}\n")), 4);
});

test("copied code has its own origin", (t) => {
  const { line, column, start, end } = placeOf(source, rangeOf("sync"));
  t.deepEqual([line, column, start, end], [3, 12, at("sync"), at("sync") + 4]);
  t.is(placeOf(source, rangeOf("mov")).start, at("mov"));
  // Behind the copies the line is known, and no more.
  t.is(placeOf(source, { start: made.indexOf(";}") + 1, end: made.indexOf(";}") + 2 }).start, at("asm"));
});

test("bytes of a binary origin are columns of its first line", (t) => {
  const binary: Source = { ...source, origin: { ...source.origin!, isText: false, copies: [] } };
  const { line, column, start, end } = createPlaces(binary).placeOf(rangeOf("ret"));
  t.deepEqual([line, column, start, end], [1, at("ret") + 1, at("ret"), at("ret")]);
});
