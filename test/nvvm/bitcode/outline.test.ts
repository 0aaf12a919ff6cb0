// Queries on the outline of a bitcode file, which do not read the module.

import test from "ava";
import { tripleOf } from "../../../lib/nvvm/bitcode/outline.js";

test("a record after a block, outside all blocks, ends the search", (t) => {
  // An identification block of one word, which ends it, and a record of code 1 without values.
  const bytes = Buffer.from("4243c0de350800000100000000000000" + "07000000", "hex");
  t.is(tripleOf(bytes), undefined);
});
