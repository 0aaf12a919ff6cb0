// --detect-odr-violations: what counts as the same definition, and what is said where .weak ones differ.

import test from "ava";
import { linkAll, moduleText, objectOf } from "./build.js";

/** Messages with their notes, for modules a.ptx, b.ptx and so on. */
function violations(...bodies: readonly string[]): readonly string[] {
  const objects = bodies.map((body, i) => objectOf(`${"abc"[i]}.ptx`, moduleText(body)));
  const { image, diagnostics } = linkAll(objects, { detectOdrViolations: true });
  if (image === undefined) throw new Error(diagnostics[0]!.message);
  return diagnostics.flatMap(({ code, severity, message, place, notes }) => [
    `${severity} ${code} ${place?.kind === "line" ? `${place.file}:${place.line}` : "-"} ${message}`,
    ...notes.map(
      (note) => `${note.place?.kind === "line" ? `${note.place.file}:${note.place.line}` : "-"} ${note.message}`,
    ),
  ]);
}

const step = (constant: number, register = "%r"): string =>
  `.weak .func step()\n{\n  .reg .b32 ${register};\n  mov.u32 ${register}, ${constant};\n  ret;\n}`;

test("bodies that differ in one constant", (t) => {
  t.deepEqual(violations(step(1), `.global .u32 own;\n${step(2)}`), [
    "warning odr-violation b.ptx:5 'step' has different definitions: b.ptx has other operands in instruction 1, mov.u32, than there, in a.ptx, which was taken",
    "a.ptx:4 taken is .func step ()",
    "b.ptx:8 differs first here",
    "a.ptx:7 from here",
  ]);
});

test("the same bodies with other names, lines and symbol numbers", (t) => {
  t.deepEqual(violations(step(1), `.visible .global .u32 own;\n\n${step(1, "%count")}`), []);
});

test("values and types that differ", (t) => {
  const says = (a: string, b: string) =>
    violations(a, b)[0]
      ?.replace(/^.*: b.ptx /, "")
      .replace(/, in .*$/, "");
  t.is(says(".weak .global .u32 a = 1;", ".weak .global .u32 a = 2;"), "has 0x02 at byte 0 and 0x01 there");
  t.is(says(".weak .global .u32 a;", ".weak .global .u32 a = 2;"), "has a value and none there");
  t.is(says(".weak .global .b32 a;", ".weak .global .u32 a;"), "has .align 4 .u32 and .align 4 .b32 there");
  t.is(says(".weak .global .u32 a = 1;", ".weak .global .u32 a = 1;"), undefined);
  t.is(says(".visible .global .u32 a = 1;", ".weak .global .u32 a = 2;"), "has 0x02 at byte 0 and 0x01 there");
});

test("static symbols count as what they are, not as what they are called", (t) => {
  const message = (name: string, text: number) =>
    `.global .u8 ${name}[2] = {${text}, 0};\n.weak .global .u64 message = ${name};`;
  t.deepEqual(violations(message("$str", 65), message("$str1", 65)), []);
  t.regex(violations(message("$str", 65), message("$str", 66))[0]!, /another address at byte 0/);
});

test("recursive and mutually recursive functions are compared to the end", (t) => {
  const pair = (constant: number) =>
    `.func odd();\n.weak .func even() { call odd; ret; }\n.func odd() { .reg .b32 %r; mov.u32 %r, ${constant}; call even; ret; }`;
  t.deepEqual(violations(pair(1), pair(1)), []);
  t.is(violations(pair(1), pair(2)).length, 4);
});

test("three definitions are one warning, and there is none without the option", (t) => {
  const says = violations(step(1), step(2), step(3));
  t.is(says.filter((line) => line.startsWith("warning")).length, 1);
  t.is(says.at(-1), "c.ptx:4 c.ptx has other operands in instruction 1, mov.u32, than there");
  const objects = [step(1), step(2)].map((body, i) => objectOf(`${i}.ptx`, moduleText(body)));
  t.deepEqual(linkAll(objects).diagnostics, []);
});
