// docs/nvvm.md lists every rule of the verifier; the list is made from the table.

import test from "ava";
import { rules, type Rule } from "../../lib/nvvm/verify/rules.table.js";
import { holdPart } from "../page.js";

const holds: Readonly<Record<Rule["holds"], string>> = { "1.0": "1.0", nvvm: "NVVM", all: "all" };

test("docs/nvvm.md lists every rule of the verifier", (t) => {
  const rows = Object.values<Rule>(rules).map(
    ({ section, holds: whose, text, code }) =>
      `| ${section} | ${holds[whose]} | ${text.replaceAll(/\{\d\}/g, "…").replaceAll("|", "\\|")} | \`${code}\` |`,
  );
  holdPart(t, "nvvm.md", "rules", `| § | holds for | says | code |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`);
});
