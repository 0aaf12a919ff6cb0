// docs/isa.md: every instruction form with its syntax, requirements, and support by ptxkit; every special register and
// directive. It is made from the tables, and support is found by trying (form-status.ts, directives.ts).

import { isDeepStrictEqual } from "node:util";
import test from "ava";
import type { Form } from "../../lib/isa/form.js";
import { choicesText, limitTexts, needsText, syntaxText } from "../../lib/isa/form-text.js";
import { formOf } from "../../lib/isa/opcode.js";
import { allRows } from "../../lib/isa/rows/all.table.js";
import { specialRegisters } from "../../lib/isa/special-registers.table.js";
import { functionDirectives, linkages, spaces } from "../../lib/ptx/words.table.js";
import { holdPart } from "../page.js";
import { features } from "../../lib/check/features.table.js";
import { assemble } from "../../lib/object/assemble.js";
import { essence, textOf } from "../object/essence.js";
import { check } from "../object/pipeline.js";
import { directives, moduleOf } from "./directives.js";
import { formStatuses, type Extent, type FormStatus } from "./form-status.js";

/** Titles of the manual's sections, at the depth of the page's parts. */
const sections: readonly (readonly [section: string, title: string])[] = [
  ["9.7.1", "Integer arithmetic"],
  ["9.7.2", "Extended-precision integer arithmetic"],
  ["9.7.3", "Floating point"],
  ["9.7.4", "Half-precision floating point"],
  ["9.7.5", "Mixed-precision floating point"],
  ["9.7.6", "Comparison and selection"],
  ["9.7.7", "Half-precision comparison"],
  ["9.7.8", "Logic and shifts"],
  ["9.7.9", "Data movement and conversion"],
  ["9.7.10", "Textures"],
  ["9.7.11", "Surfaces"],
  ["9.7.12", "Control flow"],
  ["9.7.13", "Synchronisation and communication"],
  ["9.7.14", "Warp-level matrices: wmma, mma"],
  ["9.7.15", "Warpgroup-level matrices: wgmma"],
  ["9.7.16", "Tensor cores of the fifth generation: tcgen05"],
  ["9.7.17", "The stack"],
  ["9.7.18", "Video"],
  ["9.7.19", "Miscellaneous"],
  ["9.7.20", "Of PTX ISA 9.3 and 9.4, not executed: fabric, sparse data, small floats"],
];

const mark: Readonly<Record<Extent, string>> = { all: "yes", some: "in part", none: "–" };

/** In a cell of a table. */
const cell = (text: string): string => text.replaceAll("|", "\\|");
const code = (text: string): string => `\`${cell(text)}\``;

// -------------------------------------------------------------------------------------------------------------- the page

const stages = ["parsed", "checked", "encoded", "executed", "timed"] as const;

/** The part of the page for a section such as 9.7.9.25.4.1. */
const chapterOf = (section: string): string => section.split(".").slice(0, 3).join(".");

function formRow(form: Form, status: FormStatus): string {
  const details = [...choicesText(form.slots), ...limitTexts(form)]
    .map((line) => `<br><sub>${cell(line)}</sub>`)
    .join("");
  const states = stages.map((stage) => mark[status[stage]]).join(" | ");
  return `| ${form.section} | ${code(form.id)} | ${code(syntaxText(form))}${details} | ${cell(needsText(form.needs))} | ${states} |`;
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-");

const forms = allRows.map(({ id }) => formOf(id)!);
const statuses = formStatuses(forms);

test("every form is in a section of the page", (t) => {
  const known = new Set(sections.map(([section]) => section));
  t.deepEqual(
    forms.filter(({ section }) => !known.has(chapterOf(section))).map(({ id }) => id),
    [],
  );
});

test("every form is parsed, checked, encoded and timed, with each of its modifiers", (t) => {
  const lacking = [...statuses].filter(
    ([, { uses, parsed, checked, encoded, timed }]) =>
      uses === 0 || [parsed, checked, encoded, timed].some((extent) => extent !== "all"),
  );
  t.deepEqual(lacking, []);
});

test("the totals of docs/isa.md equal the tables'", (t) => {
  const count = (list: readonly Form[], stage: (typeof stages)[number]): string => {
    const of = (extent: Extent): number => list.filter(({ id }) => statuses.get(id)![stage] === extent).length;
    return of("some") === 0 ? `${of("all")}` : `${of("all")} (${of("some")} in part)`;
  };
  const line = (title: string, list: readonly Form[]): string =>
    `| ${title} | ${list.length} | ${stages.map((stage) => count(list, stage)).join(" | ")} |`;
  const rows = sections.map(([section, title]) => {
    const heading = `${section} ${title}`;
    return line(
      `[${heading}](#${anchorOf(heading)})`,
      forms.filter((form) => chapterOf(form.section) === section),
    );
  });
  const opcodes = new Set(forms.map(({ opcode }) => opcode)).size;
  holdPart(
    t,
    "isa.md",
    "totals",
    `${forms.length} instruction forms of ${opcodes} opcodes, ${specialRegisters.length} special registers, ${directives.length} directives.\n\n` +
      `| section | forms | ${stages.join(" | ")} |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n` +
      `${[...rows, line("**all**", forms)].join("\n")}\n`,
  );
});

test("docs/isa.md lists every form", (t) => {
  const made = sections.map(([section, title]) => {
    const own = forms.filter((form) => chapterOf(form.section) === section);
    const rows = own.map((form) => formRow(form, statuses.get(form.id)!));
    return `## ${section} ${title}\n\n| section | form | syntax | needs | ${stages.join(" | ")} |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  holdPart(t, "isa.md", "forms", made.join("\n"));
});

test("docs/isa.md lists every special register", (t) => {
  const rows = specialRegisters.map(
    ({ section, name, type, vector, needs }) =>
      `| ${section} | ${code(name)} | ${code(`${vector ? ".v4 " : ""}.${type.name}`)} | ${needsText(needs)} |`,
  );
  holdPart(
    t,
    "isa.md",
    "special registers",
    `| section | register | type | needs |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`,
  );
});

const stateOfDirective = (directive: (typeof directives)[number]): string => {
  const object = assemble(check(moduleOf(directive), directive.name));
  const text = textOf(object);
  const kept = directive.printed?.test(text) ?? text.includes(directive.name);
  return kept && isDeepStrictEqual(essence(assemble(check(text))), essence(object)) ? "yes" : "–";
};

test("docs/isa.md lists every directive: examples are checked, and read back from an object", (t) => {
  const states = directives.map((directive) => ({ directive, state: stateOfDirective(directive) }));
  t.deepEqual(
    states.filter(({ state }) => state === "–").map(({ directive }) => directive.name),
    [],
  );
  const needs = (name: string): string => {
    const key = name.replace(/^\.attribute\(|\)$/g, "").replace(/^\.pragma "(.*)"$/, "the pragma $1");
    return (
      features[key] ??
      (key === ".ptr" ? features["a .ptr parameter"]! : name.startsWith(".pragma") ? features[".pragma"]! : "1.0")
    )
      .replace(":", ", ")
      .replace(/(sm_\d+)$/, "$1+");
  };
  const rows = states.map(
    ({ directive: { section, name, text }, state }) =>
      `| ${section} | ${code(name)} | ${needs(name)} | yes | ${state} | ${code(text.split("\n").join(" "))} |`,
  );
  holdPart(
    t,
    "isa.md",
    "directives",
    `| section | directive | needs | parsed, checked | encoded | example |\n| --- | --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`,
  );
});

test("every directive that the grammar knows has an example on the page", (t) => {
  const named = new Set(directives.map(({ name }) => name));
  t.deepEqual(
    [...functionDirectives.keys(), ...linkages.keys(), ...spaces.keys()].filter((name) => !named.has(name)),
    [],
  );
});
