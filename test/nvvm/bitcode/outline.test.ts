// Queries on the outline of a bitcode file, without reading the module.

import test from "ava";
import { tripleOf } from "../../../lib/nvvm/bitcode/outline.js";

test("a record after a block, outside all blocks, ends the search", (t) => {
  // A block of identification with one word, which is its end, and a record of code 1 without values.
  const bytes = Buffer.from("4243c0de350800000100000000000000" + "07000000", "hex");
  t.is(tripleOf(bytes), undefined);
});
