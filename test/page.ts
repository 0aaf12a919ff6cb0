// Parts of the pages in docs/ that are made from the program's tables, between `<!-- NAME -->` and `<!-- end -->`. A test
// holds each to its table; with PTXKIT_UPDATE=1 it is written anew.

import { readFileSync, writeFileSync } from "node:fs";
import type { ExecutionContext } from "ava";

/** Holds the part `name` of docs/`page` to `made`: whole lines, each ended. */
export function holdPart(t: ExecutionContext, page: string, name: string, made: string): void {
  const file = new URL(`../../docs/${page}`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const open = `<!-- ${name} -->\n`;
  const start = text.indexOf(open) + open.length;
  const end = text.indexOf("<!-- end -->", start);
  if (start < open.length || end < 0) return t.fail(`docs/${page} has no part ${name}`);
  const update = process.env["PTXKIT_UPDATE"] === "1";
  if (update) writeFileSync(file, text.slice(0, start) + made + text.slice(end));
  t.is(update ? made : text.slice(start, end), made, `docs/${page} is not up to date: PTXKIT_UPDATE=1 writes it`);
}
