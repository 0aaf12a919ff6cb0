// Parts of pages in docs/ that are made from the program's tables, between `<!-- NAME -->` and `<!-- end -->`. A test
// compares each with its table; PTXKIT_UPDATE=1 writes it again.

import { readFileSync, writeFileSync } from "node:fs";
import type { ExecutionContext } from "ava";

/** Compares part `name` of docs/`page` with `made`, which consists of whole lines. */
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
