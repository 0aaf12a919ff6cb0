// Warnings by code, with -W as in clang: the effect of each order of options on a warning, in text, status and files.

import test from "ava";
import { warningOptions } from "../../cli/options/warnings.js";
import { goodModule, ptxkit, type Answer } from "./surroundings.js";

/** Two warnings: initializer-truncated in line 4, float-raw-bits in line 5. */
const text = goodModule.replace("= 7;", "= 4294967296;\n.global .f64 half = 0f3F000000;");
const files = { "w.ptx": text };
const run = (line: string): Promise<Answer> => ptxkit(line.split(" "), { files });
const headings = ({ err }: Answer): readonly string[] =>
  err.split("\n").filter((line) => /: (error|warning): /.test(line));

/** Options, and their effect on initializer-truncated and float-raw-bits: "-" is no message. */
const cases: readonly (readonly [words: string, truncated: string, rawBits: string])[] = [
  ["", "warning", "warning"],
  ["-Wno-float-raw-bits", "warning", "-"],
  ["-Wno-float-raw-bits -Wfloat-raw-bits", "warning", "warning"],
  ["-Wfloat-raw-bits -Wno-float-raw-bits", "warning", "-"],
  ["-W no-float-raw-bits", "warning", "-"],
  ["-Werror=float-raw-bits", "warning", "error"],
  ["-Wno-float-raw-bits -Werror=float-raw-bits", "warning", "error"],
  ["-Werror=float-raw-bits -Wno-float-raw-bits", "warning", "-"],
  ["-Werror=float-raw-bits -Wfloat-raw-bits", "warning", "error"],
  ["-Werror=float-raw-bits -Wno-error=float-raw-bits", "warning", "warning"],
  ["-Wno-float-raw-bits -Wno-error=float-raw-bits", "warning", "-"],
  ["--werror", "error", "error"],
  ["-Werror", "error", "error"],
  ["--werror -Wno-error", "warning", "warning"],
  ["-Wno-error --werror", "error", "error"],
  ["--werror -Wno-error=float-raw-bits", "error", "warning"],
  ["-Wno-error=float-raw-bits --werror", "error", "warning"],
  ["--werror -Wno-float-raw-bits", "error", "-"],
];

for (const [words, truncated, rawBits] of cases) {
  test(`${words === "" ? "no words" : words}: ${truncated}, ${rawBits}`, async (t) => {
    const answer = await run(`as w.ptx ${words}`.trim());
    const wanted = [
      ["initializer-truncated", truncated],
      ["float-raw-bits", rawBits],
    ].filter(([, level]) => level !== "-");
    t.is(headings(answer).length, wanted.length, answer.err);
    for (const [i, [code, level]] of wanted.entries()) {
      const raised = level === "error" ? " \\[-Werror\\]" : "";
      t.regex(headings(answer)[i]!, new RegExp(`^w\\.ptx:${4 + i}:\\d+: ${level}: .*[^\\]]${raised} \\[${code}\\]$`));
    }
    const failed = wanted.some(([, level]) => level === "error");
    t.is(answer.status, failed ? 1 : 0);
    t.is(answer.written.has("w.o"), !failed, "a failed command leaves no file");
  });
}

test("every command that reads modules accepts --warn and --no-warn", async (t) => {
  for (const command of ["check w.ptx", "as w.ptx", "link w.ptx -o out", "run w.ptx -k k -g 1 -b 1 -a u64=0"]) {
    t.like(await run(`${command} -Wno-float-raw-bits -Wno-initializer-truncated`), { status: 0, err: "" }, command);
    const raised = await run(`${command} -Werror=float-raw-bits`);
    t.is(raised.status, 1, command);
    t.is(raised.written.size, 0, command);
  }
});

test("json and sarif report the same levels", async (t) => {
  const words = "-Werror=float-raw-bits";
  const json = JSON.parse((await run(`check w.ptx ${words} --diagnostics json`)).err) as {
    diagnostics: readonly { code: string; severity: string; raised?: boolean }[];
  };
  t.deepEqual(
    json.diagnostics.map(({ code, severity, raised = false }) => [code, severity, raised]),
    [
      ["initializer-truncated", "warning", false],
      ["float-raw-bits", "error", true],
    ],
  );
  const sarif = JSON.parse((await run(`check w.ptx ${words} --diagnostics sarif`)).err) as {
    runs: readonly { results: readonly { ruleId: string; level: string }[] }[];
  };
  t.deepEqual(
    sarif.runs[0]!.results.map(({ ruleId, level }) => [ruleId, level]),
    json.diagnostics.map(({ code, severity }) => [code, severity]),
  );
});

/** Options that are refused, and the message. */
const refused: readonly (readonly [word: string, says: RegExp])[] = [
  ["-Wno-float-raw-bit", /there is no code 'float-raw-bit'; did you mean 'float-raw-bits'\?/],
  ["-Wzzzzzz", /there is no code 'zzzzzz'; 'ptxkit explain' lists them/],
  ["-Werror=toString", /there is no code 'toString'/],
  ["-Wno-syntax", /syntax is an error, and errors cannot be silenced/],
  ["-Wno-error=syntax", /syntax is an error, and errors cannot be lowered to warnings/],
];

for (const [word, says] of refused) {
  test(`${word} is status 2`, async (t) => {
    const answer = await run(`as w.ptx ${word}`);
    t.is(answer.status, 2);
    t.regex(answer.err, says);
    t.regex(answer.err.split("\n")[0]!, /^ptxkit: error: .* \[command-line\]$/);
    t.is(answer.written.size, 0);
  });
}

test("a code that is already an error can be named as one", async (t) => {
  t.is((await run("check w.ptx -Werror=syntax -Wsyntax")).status, 0);
  t.deepEqual(warningOptions([]), { warningsAreErrors: false, warnings: {} });
});
