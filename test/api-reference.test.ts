// docs/api-reference.md is up to date with the sources, and every export has a doc comment. PTXKIT_UPDATE=1 writes the page
// again.

import { readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import { apiEntries, apiReference } from "./api-reference.js";

test("every export of the library has a doc comment", (t) => {
  const entries = apiEntries();
  t.true(entries.length > 100);
  t.deepEqual(
    entries.filter(({ doc }) => doc === "").map(({ name, file }) => `${name} in ${file}`),
    [],
  );
});

test("docs/api-reference.md has every export as it is declared", (t) => {
  const page = new URL("../../docs/api-reference.md", import.meta.url);
  const made = apiReference();
  if (process.env["PTXKIT_UPDATE"] === "1") writeFileSync(page, made);
  t.is(readFileSync(page, "utf8"), made, "PTXKIT_UPDATE=1 writes it");
});
