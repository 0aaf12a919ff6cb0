// Completion and hover.

import test from "ava";
import { completionsAt } from "../../lib/language/completion.js";
import { hoverAt } from "../../lib/language/hover.js";
import { formOf } from "../../lib/isa/opcode.js";
import { allRows } from "../../lib/isa/rows/all.table.js";
import { modifiersAfter } from "../../lib/language/completion.js";
import { classRowOf } from "../../lib/timing/lowering/recipe.js";
import { at, head, kernel } from "./support.js";

function complete(text: string): readonly string[] {
  const { document, offset } = at(text);
  return completionsAt(document, offset).items.map((item) => item.text);
}

const inBody = (line: string): string =>
  head + kernel(`\t.reg .b32 %r<4>;\n\t.reg .pred %p;\n\tmov.u32 %r1, 0;\n${line}`);

for (const [line, wanted, unwanted] of [
  ["\t|", ["add", "ld", ".reg", ".loc"], ["%r1", "global", ".visible"]],
  ["\t@%p ad|", ["add"], ["%r1"]],
  ["$L: |", ["add"], ["%r1"]],
  ["\tld.|", ["global", "shared", "param", "relaxed"], ["add", "x"]],
  ["\tld.global.|", ["u32", "v4", "nc", "ca"], ["global"]],
  ["\tadd.rn.|", ["f32", "f64", "ftz"], ["s32", "rn"]],
  ["\tadd.s32 %r2, |", ["%r1", "p", "%tid", "k"], ["add"]],
  ["\tmov.u32 %r2, %tid.|", ["x", "y", "z", "w"], ["%r1"]],
  ["\tmov.u32 %r2, %laneid.|", [], ["x"]],
  ["\t@|", ["%p"], ["add"]],
  ["\t.reg .|", [".b32", ".pred"], [".entry"]],
  ["\t// add.|", [], ["s32"]],
  ['\t.pragma "|', [], ["add"]],
] as const) {
  test(`completion at ${JSON.stringify(line)}`, (t) => {
    const found = complete(inBody(line));
    for (const text of wanted) t.true(found.includes(text), `${text} of ${found.slice(0, 20).join(" ")}`);
    for (const text of unwanted) t.false(found.includes(text), text);
  });
}

const outside: readonly (readonly [text: string, wanted: readonly string[], unwanted: readonly string[]])[] = [
  [`${head}|`, [".visible", ".global"], [".reg", ".loc"]],
  [`${head}.visible .|`, [".entry", ".func", ".global"], [".loc"]],
  [`.version 8.5\n.target sm|`, ["sm_90a", "debug"], [".reg"]],
  [`${head}.visible .entry k(.param .u32 n) .|`, [".maxntid", ".minnctapersm"], [".noreturn"]],
];

for (const [text, wanted, unwanted] of outside) {
  test(`completion outside of functions at ${JSON.stringify(text.slice(-24))}`, (t) => {
    const found = complete(text);
    for (const one of wanted) t.true(found.includes(one), `${one} of ${found.join(" ")}`);
    for (const one of unwanted) t.false(found.includes(one), one);
  });
}

test("modifiers that the target lacks are marked", (t) => {
  const { document, offset } = at(`.version 7.0\n.target sm_70\n${kernel("\tadd.|")}`);
  const { items } = completionsAt(document, offset);
  t.is(items.find(({ text }) => text === "f32")?.isUnavailable, undefined);
  t.true(items.find(({ text }) => text === "bf16")?.isUnavailable);
});

test("of every form, each of its modifiers is offered after those before it", (t) => {
  const any = { version: Infinity, target: undefined };
  let steps = 0;
  for (const { id } of allRows) {
    const { opcode, slots } = formOf(id)!;
    let spelling = opcode;
    for (const { optional, choices } of slots) {
      if (optional) continue;
      const { text } = choices[0]!;
      const offered = modifiersAfter(spelling, any).map((one) => one.text);
      // A limit may exclude the first choice of a slot after the first choices of the slots before it.
      if (!offered.includes(text)) {
        const other = choices.find((choice) => offered.includes(choice.text));
        t.truthy(other, `${id}: .${text} behind ${spelling}`);
        spelling += `.${other?.text ?? text}`;
      } else spelling += `.${text}`;
      steps++;
    }
  }
  t.true(steps > 1000);
});

for (const [line, wanted] of [
  [
    "\tad|d.s32 %r1, %r1, 1;",
    [
      "add{.sat}.type d, a, b;",
      "PTX ISA section 9.7.1.1",
      `timing class \`${classRowOf("add.int")!.lines.join("; ")}\``,
    ],
  ],
  ["\tadd.s32 %r|1, %r1, 1;", [".reg .b32 %r<4>;", "32 bits", "one of the family", "of `k`"]],
  ["\tmov.u32 %r1, %ti|d.x;", [".sreg .v4 .u32 %tid;", "PTX ISA section 10.1"]],
  ["\tld.param.u32 %r1, [|n];", [".param .u32 n", "4 bytes", "at byte 8 of the parameters"]],
] as const) {
  test(`hover at ${JSON.stringify(line)}`, (t) => {
    const { document, offset } = at(inBody(line));
    const markdown = hoverAt(document, offset)?.markdown ?? "";
    for (const text of wanted) t.true(markdown.includes(text), `${text} in ${markdown}`);
  });
}

test("hover shows sizes of variables, and nothing for white space", (t) => {
  const variable = at(`${head}.visible .global .align 16 .v4 .f32 ta|ble[10];\n`);
  const markdown = hoverAt(variable.document, variable.offset)!.markdown;
  t.true(markdown.includes("160 bytes · aligned to 16 · in .global"), markdown);
  const blank = at(`${head}\n|\n\n`);
  t.is(hoverAt(blank.document, blank.offset), undefined);
});
