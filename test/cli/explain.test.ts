// ptxkit explain: one code, all codes, and the error for an unknown code.

import test from "ava";
import { codes } from "../../lib/diag/codes.table.js";
import { ptxkit } from "./surroundings.js";

test("one code: severity, title, explanation, example and its remedy, within the terminal's width", async (t) => {
  for (const outColumns of [60, 100]) {
    const { status, out, err } = await ptxkit(["explain", "float-raw-bits", "--color", "never"], { outColumns });
    t.is(status, 0);
    t.is(err, "");
    t.regex(out, /^warning: an 0f literal in a 64-bit variable \[float-raw-bits\]\n\n {2}0fX/);
    t.regex(out, /\nWrong:\n\n {2}\.global .* 0f3F000000;\n\nRight:\n\n {2}\.global .* 0d3FE0000000000000;\n/);
    t.regex(out, /-Wno-float-raw-bits disables the warning/);
    for (const line of out.split("\n")) t.true(line.length <= outColumns, line);
  }
});

test("every code can be asked for, also with its brackets", async (t) => {
  for (const code of Object.keys(codes)) {
    const { status, out } = await ptxkit(["explain", `[${code}]`]);
    t.is(status, 0, code);
    t.true(out.split("\n")[0]!.endsWith(` [${code}]`), code);
  }
});

test("without a code all are listed, each once, under the stage that reports it", async (t) => {
  const { status, out } = await ptxkit(["explain"]);
  t.is(status, 0);
  const listed = [...out.matchAll(/^ {2}(\S+) +(error|warning) +(\S.*)$/gm)];
  t.deepEqual(listed.map(([, code]) => code).toSorted(), Object.keys(codes).toSorted());
  for (const [, code, severity, title] of listed) t.like(codes[code as keyof typeof codes], { severity, title });
  t.regex(out, /^Linking\n\n(?: {2}\S.*\n)* {2}undefined-symbol /m);
});

test("--json is one document, with examples as whole modules", async (t) => {
  const one = JSON.parse((await ptxkit(["explain", "syntax", "--json"])).out) as Record<string, unknown>;
  t.like(one, { code: "syntax", severity: "error", stage: "Parsing", title: codes.syntax.title });
  const { wrong } = one["example"] as { readonly wrong: readonly string[] };
  t.is((await ptxkit(["check", "-"], { stdin: wrong[0]! })).status, 1);
  const all = JSON.parse((await ptxkit(["explain", "--json"])).out) as { codes: readonly { code: string }[] };
  t.is(all.codes.length, Object.keys(codes).length);
  t.deepEqual(
    all.codes.find(({ code }) => code === "syntax"),
    one as { code: string },
  );
});

test("a code that does not exist is status 2, with the nearest one", async (t) => {
  t.like(await ptxkit(["explain", "undefined-symbl"]), {
    status: 2,
    out: "",
    err: "ptxkit: error: there is no code 'undefined-symbl' [command-line]\nhelp: did you mean 'undefined-symbol'?\n",
  });
  t.regex((await ptxkit(["explain", "qqqqqqqq"])).err, /no code 'qqqqqqqq' .*\nhelp: 'ptxkit explain' lists them\n$/);
  const json = await ptxkit(["explain", "toString", "--diagnostics", "json"]);
  t.is(json.status, 2);
  t.is((JSON.parse(json.err) as { diagnostics: readonly { code: string }[] }).diagnostics[0]!.code, "command-line");
});
