// Options that stand many times, as response files have them.

import test from "ava";
import { collecting } from "../../cli/collecting.js";

test("values of one option are one list, which grows in its place", (t) => {
  const add = collecting(Number);
  const list = add("1");
  t.is(add("2", list), list);
  t.deepEqual(list, [1, 2]);
  t.deepEqual(add("3"), [3]);
});
