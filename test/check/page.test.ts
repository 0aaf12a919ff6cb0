// docs/checking.md lists every code that a diagnostic can carry; the list is made from the table.

import test from "ava";
import { codes } from "../../lib/diag/codes.table.js";
import { holdPart } from "../page.js";

test("docs/checking.md lists every code of a diagnostic", (t) => {
  const rows = Object.entries(codes).map(
    ([name, { severity, title, explanation }]) => `| \`${name}\` | ${severity} | ${title} | ${explanation} |`,
  );
  holdPart(
    t,
    "checking.md",
    "codes",
    `| code | severity | title | meaning |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`,
  );
});
