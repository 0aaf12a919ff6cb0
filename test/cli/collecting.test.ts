// Options that are repeated many times, as in response files.

import test from "ava";
import { collecting } from "../../cli/options/collecting.js";
import { parseDefinition } from "../../cli/options/definition.js";
import { goodModule, ptxkit } from "./surroundings.js";

test("values of a repeated option are appended to one list", (t) => {
  const add = collecting(Number);
  const list = add("1");
  t.is(add("2", list), list);
  t.deepEqual(list, [1, 2]);
  t.deepEqual(add("3"), [3]);
});

test("an option that collects names refuses an empty one", async (t) => {
  for (const option of [
    ...["-u", "--undefined-glob", "--require-defined", "--wrap", "--ignore-unresolved-symbol"],
    ...["--export", "--localize", "--why-live", "-y"],
  ]) {
    const { status, err } = await ptxkit(["link", "a.ptx", "-o", "x", option, ""], { files: { "a.ptx": goodModule } });
    t.is(status, 2, option);
    t.regex(err, /^ptxkit: error: option '.*' argument '' is invalid: a name is expected; .* \[command-line\]\n/);
  }
});

test("names and patterns are limited to what a symbol can be called", async (t) => {
  const said = async (option: string, value: string): Promise<string> => {
    const given = ["link", "a.ptx", "-o", "x", option, value];
    const { status, err } = await ptxkit(given, { files: { "a.ptx": goodModule } });
    if (status === 0) return "";
    t.is(status, 2, option);
    return /is invalid: (.*?)[:,].* \[command-line\]\n/.exec(err)![1]!;
  };
  for (const option of ["-u", "--wrap"]) {
    for (const name of ["nobody", "%r", "_Z1fv", "x$1"]) t.is(await said(option, name), "", name);
    for (const name of ["a b", "1", "_", "f(int)", "a+4", "a\nb"])
      t.is(await said(option, name), "PTX has no such name");
    t.is(await said(option, "a*"), "one name is expected");
  }
  for (const option of ["--undefined-glob", "--ignore-unresolved-symbol"]) {
    for (const name of ["nobody", "*", "a?[!0-9]$", "[]x]*", "[(]"]) t.is(await said(option, name), "", name);
    for (const name of ["a b", "a *", "f(*)", "[a", "a]*", "1"])
      t.is(await said(option, name), "no name fits it", name);
  }
});

test("the name of a folder is not empty", async (t) => {
  for (const command of ["link", "run"]) {
    const { status, err } = await ptxkit([command, "a.ptx", "-o", "x", "-L", ""], { files: { "a.ptx": goodModule } });
    t.is(status, 2);
    t.regex(
      err,
      /^ptxkit: error: option '-L, .*' argument '' is invalid: a folder is expected, \. for the current one; /,
    );
  }
});

test("a list of names is not empty", async (t) => {
  for (const option of ["--kernels-used", "--variables-used"])
    for (const value of ["", ",", " , "]) {
      const given = ["link", "a.ptx", "-o", "x", "--gc-sections", option, value];
      const { status, err } = await ptxkit(given, { files: { "a.ptx": goodModule } });
      t.is(status, 2, option);
      t.regex(err, /^ptxkit: error: option '.*' argument '[ ,]*' is invalid: names are expected, such as a,b; /);
    }
});

test("--defsym allows blanks between names, and refuses names that PTX does not allow", (t) => {
  t.deepEqual(parseDefinition(" a = b + 4 "), { name: "a", base: "b", offset: 4n });
  for (const text of ["q q=x", "x=q q", "_=x", "x=$", "=x", "x=", "1=x", "x=v+1e3", "x=4 4"])
    t.throws(() => parseDefinition(text), { message: /^write NAME=SYMBOL, / }, text);
});

test("an address of --defsym has 64 bits", (t) => {
  t.deepEqual(parseDefinition("a=18446744073709551615"), { name: "a", offset: 2n ** 64n - 1n });
  for (const address of ["18446744073709551616", "0x10000000000000001"])
    t.throws(() => parseDefinition(`a=${address}`), { message: /^addresses have 64 bits: / }, address);
});

test("an argument of the command line is quoted in a message on one line, without control characters", async (t) => {
  const head = async (...words: string[]): Promise<string> => {
    const { status, err } = await ptxkit(words, { files: { "a.ptx": goodModule } });
    t.is(status, 2);
    return err.split("\n", 1)[0]!;
  };
  const link = ["link", "a.ptx", "-o", "x"];
  t.is(
    await head(...link, "--sort-section", "a\n(b)\x1b[31m"),
    "ptxkit: error: option '--sort-section <by>' argument 'a\\x0A(b)\\x1B[31m' is invalid. Allowed choices are name, alignment. [command-line]",
  );
  t.is(await head(...link, "--wrp\n"), "ptxkit: error: unknown option '--wrp\\x0A' [command-line]");
  t.is(await head("li\nnk"), "ptxkit: error: unknown command 'li\\x0Ank' [command-line]");
  t.is(
    await head(...link, "--remap-inputs", "a\n\0"),
    "ptxkit: error: --remap-inputs a\\x0A\\x00 is not FROM=TO [command-line]",
  );
});
