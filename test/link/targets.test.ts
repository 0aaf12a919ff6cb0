// Which targets can be linked together, compared with nvlink's answer for each pair
// (testdata/oracle/link/targets.json).

import { readFileSync } from "node:fs";
import test from "ava";
import { parseTarget } from "../../lib/isa/requirement.js";
import { linksInto } from "../../lib/link/model/targets.js";
import { testdata } from "../oracle/programs.js";
import { linkAll, moduleText, objectOf } from "./build.js";

const { accepted } = JSON.parse(readFileSync(new URL("oracle/link/targets.json", testdata), "utf8")) as {
  accepted: Readonly<Record<string, readonly string[]>>;
};
const names = Object.keys(accepted);

for (const input of names)
  test(`code for ${input} links for the targets that nvlink accepts`, (t) => {
    const into = names.filter((image) => linksInto(parseTarget(input)!, parseTarget(image)!));
    t.deepEqual(into, accepted[input]);
  });

test("the image has the first input's target and the latest version", (t) => {
  const older = objectOf("a.ptx", ".version 6.3\n.target sm_50\n.address_size 64\n.global .u32 a;\n");
  const newer = objectOf("b.ptx", moduleText(".global .u32 b;", "sm_75"));
  const { image } = linkAll([older, newer]);
  t.is(image!.target.name, "sm_75");
  t.is(image!.version, 85);
});
