// Frequent mistakes in PTX, and the complete messages: testdata/messages has a file for each theme. A case is a title
// after `===`, the text, and after `---` the messages as a terminal shows them. Text that begins with .version is a
// module; other text that begins with a module directive gets a header; other text is put into the body of the kernel
// in frame.ptx, at `// BODY`. PTXKIT_UPDATE=1 writes the messages again, so review the difference.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import { checkSource } from "../../lib/check/check.js";
import { codes } from "../../lib/diag/codes.table.js";
import { renderText } from "../../lib/diag/render-text.js";
import { createSink } from "../../lib/diag/sink.js";
import { exampleOf } from "../../lib/ptx/examples.table.js";

const folder = new URL("../../../testdata/messages/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const [beforeBody, afterBody] = read("frame.ptx").split("// BODY\n") as [string, string];
const header = ".version 8.5\n.target sm_80\n.address_size 64\n";

interface Case {
  readonly title: string;
  readonly text: string;
  readonly expected: string;
}

function casesOf(file: string): readonly Case[] {
  return read(file)
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [input, expected] = part.split(/^---\n/m) as [string, string | undefined];
      const titleEnd = input.indexOf("\n");
      return { title: input.slice(0, titleEnd), text: input.slice(titleEnd + 1), expected: expected ?? "" };
    });
}

function moduleOf(text: string): string {
  if (/^\.(?:version|target) /.test(text)) return text;
  if (/^(?:\.(?!reg|param|local|callp|branch)|mov)/.test(text)) return header + text;
  return beforeBody + text + afterBody;
}

function messagesFor(text: string): string {
  const sink = createSink();
  const bytes = new TextEncoder().encode(moduleOf(text));
  checkSource({ name: "a.ptx", bytes }, sink);
  return renderText(sink.all, { readText: () => bytes });
}

for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
  const cases = casesOf(file);
  test(`messages: ${file}`, (t) => {
    const titles = cases.map(({ title }) => title);
    t.deepEqual(
      titles.filter((title, i) => titles.indexOf(title) !== i),
      [],
      "titles are unique",
    );
    for (const { title, text, expected } of cases) {
      const messages = messagesFor(text);
      if (process.env["PTXKIT_UPDATE"] === undefined) t.is(messages, expected, title);
      else t.not(messages, "", `${title}: every case has something to say`);
    }
    if (process.env["PTXKIT_UPDATE"] === undefined) return;
    const written = cases.map(({ title, text }) => `=== ${title}\n${text}---\n${messagesFor(text)}`);
    writeFileSync(new URL(file, folder), written.join(""));
  });
}

test("a syntax error names what was expected and shows how to write it", (t) => {
  const general = `help: ${codes.syntax.remedy}`;
  for (const file of readdirSync(folder)) {
    const text = readFileSync(new URL(file, folder), "utf8");
    t.false(text.includes(general), file);
  }
});

test("every expectation of the grammar has an example", (t) => {
  const grammar = new URL("../../../lib/ptx/", import.meta.url);
  const said = readdirSync(grammar).flatMap((file) => {
    const text = readFileSync(new URL(file, grammar), "utf8");
    const calls = text.matchAll(/\b(?:failExpected|failBefore|expectName)\(cursor, (?:\w+ \? )?"([^"]+)"/g);
    return [...calls].map((match) => `${file}: ${match[1]!}`);
  });
  t.true(said.length > 30);
  t.deepEqual(
    said.filter((one) => exampleOf(one.slice(one.indexOf(":") + 2)) === undefined),
    [],
  );
});
