// Options that stand many times, as response files have them.

import test from "ava";
import { collecting } from "../../cli/collecting.js";
import { goodModule, ptxkit } from "./surroundings.js";

test("values of one option are one list, which grows in its place", (t) => {
  const add = collecting(Number);
  const list = add("1");
  t.is(add("2", list), list);
  t.deepEqual(list, [1, 2]);
  t.deepEqual(add("3"), [3]);
});

test("a name that an option collects is not empty", async (t) => {
  for (const option of ["-u", "--undefined-glob", "--require-defined", "--wrap"]) {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "x", option, ""], { files: { "a.ptx": goodModule } });
    t.is(status, 2, option);
    t.regex(err, /^ptxkit: error: option '.*' argument '' is invalid\. a name is expected; .* \[command-line\]\n/);
  }
});
