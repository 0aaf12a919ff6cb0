// Names: their meaning, definition and references, and renaming.

import test from "ava";
import { openDocument, type LanguageDocument } from "../../lib/language/document.js";
import { nameAt } from "../../lib/language/occurrences.js";
import { definitionsAt, referencesAt, renameAt, type Others } from "../../lib/language/navigate.js";
import { outlineOf } from "../../lib/language/outline.js";
import { nameTokens } from "../../lib/language/tokens.js";
import { at, head, kernel, textAt } from "./support.js";

const alone: Others = () => [];
const among =
  (documents: readonly LanguageDocument[]): Others =>
  (text) =>
    documents.filter((one) => one.text.includes(text));

/** Lines, from 1, of the places. */
const lines = (places: readonly { document: LanguageDocument; start: number }[]): readonly string[] =>
  places.map(({ document, start }) => `${document.name}:${document.text.slice(0, start).split("\n").length}`);

const body = `	.reg .b32 %r<4>;
	.reg .b64 %a;
	ld.param.u64 %a, [p];
	mov.u32 %r1, %tid.x;
$L:
	{
		.reg .b32 %r1;
		mov.u32 %r1, 5;
	}
	add.u32 %r2, %r1, 1;
	@!%r3 bra $L;
	ret;`;

for (const [what, from, to, kind] of [
  ["a parameter", "ld.param.u64 %a, [|p]", ["a.ptx:4"], "parameter"],
  ["a register", "ld.param.u64 |%a", ["a.ptx:7"], "register"],
  ["a register of a family", "add.u32 %r2, %|r1", ["a.ptx:6"], "register"],
  ["a register of an inner block", "mov.u32 |%r1, 5", ["a.ptx:12"], "register"],
  ["a label", "bra $|L;", ["a.ptx:10"], "label"],
  ["the guard's predicate", "@!%r|3", ["a.ptx:6"], "register"],
] as const) {
  test(`the definition of ${what}`, (t) => {
    const text = head + kernel(body);
    const plain = from.replace("|", "");
    t.true(text.includes(plain));
    const { document, offset } = at(text.replace(plain, from.replaceAll("$", "$$$$")));
    t.is(nameAt(document, offset)?.symbol.kind, kind);
    t.deepEqual(lines(definitionsAt(document, offset, alone)), to);
  });
}

test("references respect scopes, and those of a register family are its members'", (t) => {
  const member = at((head + kernel(body)).replace("add.u32 %r2, %r1", "add.u32 %r2, %r|1"));
  t.deepEqual(lines(referencesAt(member.document, member.offset, false, alone)), ["a.ptx:9", "a.ptx:15"]);
  const family = at((head + kernel(body)).replace("%r<4>", "%|r<4>"));
  t.is(referencesAt(family.document, family.offset, false, alone).length, 4);
});

test("names resolve in incomplete text", (t) => {
  const { document, offset } = at(
    `${head}${kernel("\t.reg .b32 %x;\n\tadd.u32 %|x, \n\tld.global\n\tret;")}.func g( {`,
  );
  t.is(nameAt(document, offset)?.symbol.text, "%x");
});

const user = `${head}.extern .func f(.param .u32 a);
.extern .global .u32 total;
.global .u32 own;
${kernel("\t.reg .b64 %a;\n\tmov.u64 %a, total;\n\tmov.u64 %a, own;\n\tcall f, (1);\n\tret;")}`;
const library = openDocument(
  "lib.ptx",
  `${head}.visible .global .u32 total;\n.global .u32 own;\n.visible .func f(.param .u32 a)\n{\n\tret;\n}\n.global .u64 t = generic(total);\n`,
);

test("names resolve in other files by their linkage", (t) => {
  const total = at(user.replace("%a, total", "%a, to|tal"));
  t.deepEqual(lines(definitionsAt(total.document, total.offset, among([library]))), ["lib.ptx:4"]);
  t.deepEqual(lines(definitionsAt(total.document, total.offset, alone)), ["a.ptx:5"]);
  t.deepEqual(lines(referencesAt(total.document, total.offset, true, among([library]))), [
    "a.ptx:5",
    "a.ptx:10",
    "lib.ptx:4",
    "lib.ptx:10",
  ]);
  const own = at(user.replace("%a, own", "%a, o|wn"));
  t.deepEqual(lines(referencesAt(own.document, own.offset, true, among([library]))), ["a.ptx:6", "a.ptx:11"]);
});

test("a rename changes all files, and respells every occurrence", (t) => {
  const { document, offset } = at(user.replace("call f", "call |f"));
  const result = renameAt(document, offset, "shade", among([library]));
  t.is(result.kind, "edits");
  if (result.kind !== "edits") return;
  t.deepEqual(lines(result.edits), ["a.ptx:4", "a.ptx:12", "lib.ptx:6"]);
  t.true(result.edits.every((edit) => textAt(edit.document, edit) === "f"));
});

test("a family is renamed with its members, which keep their numbers", (t) => {
  const { document, offset } = at((head + kernel(body)).replace("%r<4>", "%|r<4>"));
  const result = renameAt(document, offset, "%value", alone);
  t.true(result.kind === "edits" && result.edits.length === 5);
  if (result.kind === "edits") t.true(result.edits.every((edit) => textAt(document, edit) === "%r"));
});

for (const [from, to, why] of [
  ["mov.u32 %r1, %tid|.x", "%x", /special register/],
  ["add.u32 %r2, %r|1", "%x", /one of %r<4>/],
  ["ld.param.u64 %|a", "9a", /not a PTX name/],
  ["ld.param.u64 %|a", "%laneid", /special register/],
  ["ld.param.u64 %|a", "add", /word of PTX/],
  ["ld.param.u64 %|a", "n", /has a parameter 'n' already/],
  ["ld.param.u64 %|a", "%r3", /has a register '%r' already/],
] as const) {
  test(`no rename to ${to} at ${from}`, (t) => {
    const text = (head + kernel(body)).replace(from.replace("|", ""), from);
    const { document, offset } = at(text);
    const result = renameAt(document, offset, to, alone);
    t.is(result.kind, "refused");
    if (result.kind === "refused") t.regex(result.why, why);
  });
}

test("the outline has functions with parameters and labels", (t) => {
  const entries = outlineOf(openDocument("a.ptx", head + kernel(body)));
  t.deepEqual(
    entries.map(({ text, kind, children }) => [text, kind, children.map((child) => child.text)]),
    [["k", "kernel", ["p", "n", "$L"]]],
  );
});

test("name tokens of a range are in order and classified", (t) => {
  const document = openDocument("a.ptx", head + kernel("\t.reg .b32 %x;\n\tmov.u32 %x, %laneid;\n\tret;"));
  t.deepEqual(
    nameTokens(document).map((token) => [textAt(document, token), token.kind, token.isDeclaration]),
    [
      ["k", "kernel", true],
      ["p", "parameter", true],
      ["n", "parameter", true],
      ["%x", "register", true],
      ["%x", "register", false],
      ["%laneid", "special register", false],
    ],
  );
});
