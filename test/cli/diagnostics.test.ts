// How diagnostics are written: text with limits and colour, and one JSON or SARIF document for a whole run.

import test from "ava";
import { badModule, goodModule, ptxkit } from "./surroundings.js";

const files = { "good.ptx": goodModule, "bad.ptx": badModule(3), "worse.ptx": badModule(30) };
const errorsShown = (text: string): number => text.match(/: error: /g)?.length ?? 0;
const escape = "\u001b[";

interface Document {
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly code: string;
    readonly place?: { file: string };
  }[];
}

interface Sarif {
  readonly $schema: string;
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number; readonly startColumn: number };
        };
      }[];
    }[];
  }[];
}

test("twenty errors are shown by default; --error-limit changes the number, and 0 shows all", async (t) => {
  const shown = async (...limit: string[]): Promise<string> =>
    (await ptxkit(["check", "worse.ptx", ...limit], { files })).err;
  t.is(errorsShown(await shown()), 20);
  t.regex(await shown(), /10 more errors not shown \(--error-limit 20\)\n$/);
  t.is(errorsShown(await shown("--error-limit", "5")), 5);
  t.is(errorsShown(await shown("--error-limit", "0")), 30);
  t.is(errorsShown(await shown("--error-limit=100")), 30);
  t.notRegex(await shown("--error-limit", "0"), /not shown/);
});

test("the limit holds for the whole run, and does not change the status", async (t) => {
  const answer = await ptxkit(["check", "bad.ptx", "worse.ptx", "--error-limit", "4"], { files });
  t.is(errorsShown(answer.err), 4);
  t.is(answer.status, 1);
});

test("--color: always, never, and by the terminal and NO_COLOR", async (t) => {
  const colored = async (args: readonly string[], around: object): Promise<boolean> =>
    (await ptxkit(["check", "bad.ptx", ...args], { files, ...around })).err.includes(escape);
  t.false(await colored([], {}));
  t.true(await colored([], { errColumns: 80 }));
  t.false(await colored([], { outColumns: 80 }), "standard output's terminal is not standard error's");
  t.false(await colored([], { errColumns: 80, environment: { NO_COLOR: "1" } }));
  t.true(await colored([], { errColumns: 80, environment: { NO_COLOR: "" } }));
  t.true(await colored(["--color", "always"], { environment: { NO_COLOR: "1" } }));
  t.false(await colored([], { errColumns: 80, environment: { TERM: "dumb" } }));
  t.true(await colored([], { environment: { FORCE_COLOR: "1", NO_COLOR: "1", TERM: "dumb" } }));
  for (const none of ["0", "false"]) t.false(await colored([], { errColumns: 80, environment: { FORCE_COLOR: none } }));
  t.false(await colored(["--color", "never"], { environment: { FORCE_COLOR: "3" } }));
  t.false(await colored(["--color", "never"], { errColumns: 80 }));
});

test("--diagnostics json: one document with every error of every file, without a limit", async (t) => {
  const { err, status } = await ptxkit(["check", "bad.ptx", "worse.ptx", "--diagnostics", "json"], { files });
  const { diagnostics } = JSON.parse(err) as Document;
  t.is(status, 1);
  t.is(diagnostics.length, 33);
  t.deepEqual(new Set(diagnostics.map(({ place }) => place!.file)), new Set(["bad.ptx", "worse.ptx"]));
});

test("--diagnostics json and sarif: a document also without findings, and when a file cannot be read", async (t) => {
  for (const command of [["check"], ["as"], ["link", "-o", "out"]]) {
    const answer = async (format: string, file: string) => {
      const { err, status } = await ptxkit([...command, file, "--diagnostics", format], { files });
      return { status, document: JSON.parse(err) as Document & Sarif };
    };
    t.deepEqual(await answer("json", "good.ptx"), { status: 0, document: { diagnostics: [] } as never });
    const unread = await answer("json", "absent.ptx");
    t.is(unread.status, 2);
    t.deepEqual(
      unread.document.diagnostics.map(({ code }) => code),
      ["file-access"],
    );
    t.deepEqual((await answer("sarif", "good.ptx")).document.runs[0]!.results, []);
    t.is((await answer("sarif", "absent.ptx")).document.runs[0]!.results.length, 1);
  }
  const later = await ptxkit("run good.ptx -k k -g 1 -b 1 --trace t.json --diagnostics json".split(" "), { files });
  t.deepEqual(
    (JSON.parse(later.err) as Document).diagnostics.map(({ code }) => code),
    ["command-line"],
  );
});

test("a wrong command line is answered with the --help command, unless the message has its own remedy", async (t) => {
  const remedy = async (...args: readonly string[]): Promise<unknown> => {
    const { err } = await ptxkit([...args, "--diagnostics", "json"], { files });
    return (JSON.parse(err) as { diagnostics: readonly { remedy?: string }[] }).diagnostics[0]!.remedy;
  };
  t.is(
    await remedy("run", "good.ptx", "-k", "k", "-g", "1", "-b", "1", "-a", "u64[5]"),
    "ptxkit help run shows the options of the command",
  );
  t.is(
    await remedy("link", "good.ptx", "--emit", "ptx", "--print-call-graph", "-o", "x"),
    "ptxkit help link shows the options of the command",
  );
  t.regex(String(await remedy("gpus", "nope")), /^there are v100, /);
});

test("diagnostics found before a file fails to be read are reported, too", async (t) => {
  const { err, status } = await ptxkit(["check", "bad.ptx", "absent.ptx", "--diagnostics=json"], { files });
  t.is(status, 2);
  t.is((JSON.parse(err) as Document).diagnostics.length, 4);
});

test("--diagnostics sarif keeps the essentials of the SARIF 2.1.0 schema", async (t) => {
  const { err, status } = await ptxkit(["check", "bad.ptx", "--diagnostics", "sarif"], { files });
  t.is(status, 1);
  const log = JSON.parse(err) as Sarif;
  t.is(log.version, "2.1.0");
  t.regex(log.$schema, /sarif-2\.1\.0/);
  t.is(log.runs.length, 1);
  const { tool, results } = log.runs[0]!;
  t.is(tool.driver.name, "ptxkit");
  t.is(results.length, 3);
  results.forEach((result, i) => {
    t.is(tool.driver.rules[result.ruleIndex]!.id, result.ruleId);
    t.is(result.level, "error");
    t.true(result.message.text.length > 0);
    const { artifactLocation, region } = result.locations[0]!.physicalLocation;
    t.is(artifactLocation.uri, "bad.ptx");
    t.like(region, { startLine: 4 + i, startColumn: 9 });
  });
});

test("a text diagnostic is FILE:LINE:COL: SEVERITY: MESSAGE [CODE], with the line and its mark", async (t) => {
  const { err } = await ptxkit(["check", "bad.ptx", "--error-limit", "1"], { files });
  const [head, line, mark] = err.split("\n");
  t.regex(head!, /^bad\.ptx:4:9: error: .+ \[[a-z-]+\]$/);
  t.is(line, " 4 | .global .u33 x0;");
  t.is(mark, "   |         ^~~~");
});
