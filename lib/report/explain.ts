// The output of `ptxkit explain`: one code with its explanation and an example, or all codes by the stage that reports them; as
// text and as one JSON document.

import { codes, type CodeName } from "../diag/codes.table.js";
import {
  exampleHeader,
  explanations,
  explanationsByStage,
  type Example,
  type Explanation,
} from "../diag/explanations.table.js";
import type { Styler } from "./style.js";

export interface ExplainTextOptions {
  readonly style: Styler;
  /** Columns at which prose is wrapped. */
  readonly width: number;
}

const indent = "  ";
const codeNames = Object.keys(codes) as readonly CodeName[];
const stages = Object.entries(explanationsByStage).map(([stage, named]) => ({
  stage,
  codes: Object.keys(named) as readonly CodeName[],
}));

/** The text for one code. */
export function explainText(code: CodeName, { style, width }: ExplainTextOptions): string {
  const { severity, title } = codes[code];
  const { about, example }: Explanation = explanations[code];
  const prose = (text: string): readonly string[] => wrap(text, width - indent.length).map((line) => indent + line);
  const shown = (heading: string, text: string | readonly string[]): readonly string[] => [
    "",
    style("heading", `${heading}${whereOf(example)}:`),
    "",
    ...(example.kind === "situation" ? prose(text as string) : exampleLines(text)),
  ];
  const lines = [
    `${style(severity === "error" ? "heading" : "warning", `${severity}:`)} ${title} [${code}]`,
    "",
    ...prose(about),
    ...shown("Wrong", example.wrong),
    ...shown("Right", example.right),
    ...(severity === "warning"
      ? ["", ...prose(`-Wno-${code} disables the warning, -Werror=${code} makes it an error.`)]
      : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function whereOf({ kind }: Example): string {
  return kind === "kernel" ? ", in a kernel" : kind === "link" ? ", linked together" : "";
}

/** If there are several modules, each begins with a comment that names it. */
function exampleLines(text: string | readonly string[]): readonly string[] {
  const modules = typeof text === "string" ? [text] : text;
  return modules.flatMap((module, i) => [
    ...(modules.length === 1 ? [] : [`${indent}// ${"abc"[i] ?? i}.ptx`]),
    ...module
      .trimEnd()
      .split("\n")
      .map((line) => indent + line),
  ]);
}

/** Wraps text to lines of at most `width` characters; a longer word has a line of its own. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** All codes with their titles, by stage. */
export function codesText({ style }: ExplainTextOptions): string {
  const columns = Math.max(...codeNames.map(({ length }) => length));
  const sections = stages.map(({ stage, codes: named }) => {
    const rows = named.map((code) => {
      const { severity, title } = codes[code];
      return `${indent}${style("name", code.padEnd(columns))}  ${severity.padEnd("warning".length)}  ${title}`;
    });
    return `${style("heading", stage)}\n\n${rows.join("\n")}\n`;
  });
  return `${sections.join("\n")}\n'ptxkit explain CODE' explains one in detail.\n`;
}

/** One code, or all: `{"codes": [...]}` in the order of the stages. Examples are complete modules. */
export function explainJson(code?: CodeName): string {
  const all = stages.flatMap(({ stage, codes: named }) => named.map((name) => describe(name, stage)));
  const value = code === undefined ? { codes: all } : all.find((each) => each.code === code);
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function describe(code: CodeName, stage: string): { readonly code: CodeName; readonly [key: string]: unknown } {
  const { severity, title } = codes[code];
  const { about, example }: Explanation = explanations[code];
  const { kind } = example;
  const described =
    kind === "situation"
      ? { situation: example.wrong, remedy: example.right }
      : { wrong: exampleModules(kind, example.wrong), right: exampleModules(kind, example.right) };
  return { code, severity, stage, title, explanation: about, example: described };
}

/** The whole text of each module of an example. */
export function exampleModules(kind: Example["kind"], text: string | readonly string[]): readonly string[] {
  const parts = typeof text === "string" ? [text] : text;
  return parts.map((part) => {
    const inner = kind === "kernel" ? `.visible .entry k()\n{\n${part}\nret;\n}` : part;
    return `${kind === "file" ? "" : exampleHeader}${inner.trimEnd()}\n`;
  });
}
