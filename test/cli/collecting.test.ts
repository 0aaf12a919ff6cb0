// Options that stand many times, as response files have them.

import test from "ava";
import { collecting } from "../../cli/collecting.js";
import { parseDefinition } from "../../cli/name-options.js";
import { goodModule, ptxkit } from "./surroundings.js";

test("values of one option are one list, which grows in its place", (t) => {
  const add = collecting(Number);
  const list = add("1");
  t.is(add("2", list), list);
  t.deepEqual(list, [1, 2]);
  t.deepEqual(add("3"), [3]);
});

test("a name that an option collects is not empty", async (t) => {
  for (const option of [
    ...["-u", "--undefined-glob", "--require-defined", "--wrap", "--ignore-unresolved-symbol"],
    ...["--export", "--localize", "--why-live", "-y"],
  ]) {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "x", option, ""], { files: { "a.ptx": goodModule } });
    t.is(status, 2, option);
    t.regex(err, /^ptxkit: error: option '.*' argument '' is invalid\. a name is expected; .* \[command-line\]\n/);
  }
});

test("a list of names has one", async (t) => {
  for (const option of ["--kernels-used", "--variables-used"])
    for (const value of ["", ",", " , "]) {
      const given = ["link", "a.ptx", "-o", "x", "--gc-sections", option, value];
      const { status, err } = await ptxkit(given, { files: { "a.ptx": goodModule } });
      t.is(status, 2, option);
      t.regex(err, /^ptxkit: error: option '.*' argument '[ ,]*' is invalid\. names are expected, such as a,b; /);
    }
});

test("--defsym takes blanks between names, and no name that PTX cannot have", (t) => {
  t.deepEqual(parseDefinition(" a = b + 4 "), { name: "a", base: "b", offset: 4n });
  for (const text of ["q q=x", "x=q q", "_=x", "x=$", "=x", "x=", "1=x", "x=v+1e3", "x=4 4"])
    t.throws(() => parseDefinition(text), { message: /^write NAME=SYMBOL, / }, text);
});
