// The table of drivers has every version of the PTX ISA that ptxkit knows, in ascending order, and docs/versions.md
// agrees.

import { readFileSync } from "node:fs";
import test from "ava";
import { driverOf, driverReleases } from "../../lib/isa/drivers.table.js";
import { versionText } from "../../lib/isa/requirement.js";
import { isVersion } from "../../lib/isa/targets.table.js";

test("every version has its release, and no other", (t) => {
  // ptxas accepts 5.1, which the release notes do not have.
  const known = Array.from({ length: 100 }, (_, version) => version).filter((each) => isVersion(each) && each !== 51);
  t.deepEqual(driverReleases.map(({ version }) => version), known); // prettier-ignore
  t.is(driverOf(84), "driver r550 (CUDA 12.4) or newer");
  t.is(driverOf(15), "driver r190 or newer");
  t.is(driverOf(10), "CUDA 1.0 or newer");
  t.is(driverOf(89), undefined);
});

test("docs/versions.md has the table", (t) => {
  const page = readFileSync(new URL("../../../docs/versions.md", import.meta.url), "utf8");
  const rows = page.slice(page.indexOf("## Drivers")).split("\n");
  t.deepEqual(
    rows.filter((row) => /^\| \d/.test(row)),
    driverReleases.flatMap(({ version, cuda, driver }) =>
      driver === undefined ? [] : [`| ${versionText(version)} | ${cuda ?? ""} | ${driver} |`],
    ),
  );
});
