// The public API: its names are those of the golden list, the package's exports lead to it, and the examples of
// docs/api.md do what they say. With PTXKIT_UPDATE=1 the list is written anew; read the difference.

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");
const index = new URL("dist/lib/index.js", root).href;

/** "name" or "type name", one for each that lib/index.ts exports, in order of the alphabet. */
function exportedNames(): readonly string[] {
  return [...text("lib/index.ts").matchAll(/^export (type )?\{([^}]*)\}/gm)]
    .flatMap(([, type = "", list = ""]) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "")
        .map((name) => type + name.replace(/^(type )?.* as /, "$1")),
    )
    .toSorted((a, b) => (a.replace("type ", "") < b.replace("type ", "") ? -1 : 1));
}

test("the exported names are those of the golden list", (t) => {
  const actual = exportedNames().join("\n") + "\n";
  const golden = new URL("test/golden/api.txt", root);
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(fileURLToPath(golden), actual);
  t.is(actual, readFileSync(golden, "utf8"));
});

test("every exported value is there, and nothing else", async (t) => {
  const values = exportedNames().filter((name) => !name.startsWith("type "));
  t.deepEqual(Object.keys((await import(index)) as object).toSorted(), values.toSorted());
});

test("each of the package's exports leads to a file", async (t) => {
  const { exports } = JSON.parse(text("package.json")) as {
    exports: Record<string, string | { readonly types: string; readonly default: string }>;
  };
  for (const target of Object.values(exports)) {
    for (const file of typeof target === "string" ? [target] : [target.types, target.default]) {
      t.notThrows(() => text(file), file);
    }
  }
});

const examples = [...text("docs/api.md").matchAll(/^## (.*)\n(?:(?!## )[^\n]*\n)*?```js\n([^]*?)```/gm)];

test("docs/api.md has an example in every section", (t) => {
  t.deepEqual(
    examples.map(([, title]) => title),
    [...text("docs/api.md").matchAll(/^## (.*)$/gm)].map(([, title]) => title),
  );
});

for (const [, title, code] of examples) {
  test(`docs/api.md: ${title}`, async (t) => {
    const source = code!.replace('"ptxkit"', JSON.stringify(index));
    await t.notThrowsAsync(import(`data:text/javascript,${encodeURIComponent(source)}`));
  });
}
