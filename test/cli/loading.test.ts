// Checks which folders each command imports before it starts: start-up is mostly reading code, so a command must not
// import what it does not need. Reads the compiler's output, which has no imports of types.

import { existsSync, readFileSync } from "node:fs";
import test from "ava";

const dist = new URL("../../", import.meta.url);
const staticImport = /^(?:import|export) (?:[^"';=(]* from )?"(\.[^"]+)";$/gm;

/** Every file loaded with `entry`, such as "cli/main.js", without dynamic imports. */
function loadedWith(entry: string): readonly string[] {
  const seen = new Set<string>();
  const visit = (url: URL): void => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    for (const [, target] of readFileSync(url, "utf8").matchAll(staticImport)) visit(new URL(target!, url));
  };
  visit(new URL(entry, dist));
  return [...seen].map((href) => href.slice(dist.href.length));
}

/** "lib/check" of "lib/check/check.js". */
const roomOf = (file: string): string => file.split("/").slice(0, 2).join("/");
const roomsOf = (files: readonly string[]): readonly string[] =>
  [...new Set(files.map(roomOf))].filter((room) => room.startsWith("lib/")).toSorted();

test("the main module loads only the version, a writer, and the loader of the rest", (t) => {
  const own = ["cli/bundled.js", "cli/files/stream.js", "cli/main.js", "cli/version.js"];
  t.deepEqual(loadedWith("cli/main.js").toSorted(), own);
});

test("the command line is parsed without loading a stage or a command", (t) => {
  const loaded = loadedWith("cli/start.js");
  t.deepEqual(roomsOf(loaded), ["lib/base", "lib/diag", "lib/isa", "lib/link", "lib/object"]);
  t.deepEqual(
    loaded.filter((file) => /^lib\/(?:isa|link|object)\//.test(file)),
    [
      "lib/isa/requirement.js",
      "lib/isa/targets.table.js",
      "lib/link/inputs/select-name.js",
      "lib/object/file/container.js",
    ],
  );
  t.deepEqual(
    loaded.filter((file) => file.startsWith("cli/commands/")),
    [],
  );
});

/** Folders or files that each command must not import. */
const without: readonly (readonly [command: string, unwanted: readonly string[]])[] = [
  [
    "check",
    [
      "lib/object/file/read",
      "lib/object/file/write",
      "lib/link/link",
      "lib/load",
      "lib/exec",
      "lib/timing",
      "lib/report",
    ],
  ],
  ["as", ["lib/link/link", "lib/load", "lib/exec", "lib/timing", "lib/inspect", "lib/report"]],
  [
    "link",
    [
      "lib/link/reports/map",
      "lib/link/reports/cross-reference",
      "lib/load",
      "lib/exec",
      "lib/timing",
      "lib/inspect",
      "lib/report",
    ],
  ],
  ["inspect", ["lib/load", "lib/exec", "lib/timing"]],
  ["run", ["lib/timing", "lib/inspect"]],
  ["explain", ["lib/isa/rows", "lib/ptx", "lib/check", "lib/object", "lib/link", "lib/load", "lib/exec", "lib/timing"]],
];

test("modules that a command must not load exist", (t) => {
  const gone = without.flatMap(([, unwanted]) =>
    unwanted.filter((start) => ![start, `${start}.js`].some((path) => existsSync(new URL(path, dist)))),
  );
  t.deepEqual(gone, []);
});

for (const [command, unwanted] of without) {
  test(`${command} loads no more stages than it needs`, (t) => {
    const loaded = loadedWith(`cli/commands/${command}.js`);
    t.true(loaded.length > 10);
    t.deepEqual(
      loaded.filter((file) => unwanted.some((start) => file.startsWith(start))),
      [],
    );
  });
}

test("only explain loads the explanations", (t) => {
  const table = "lib/diag/explanations.table.js";
  t.true(loadedWith("cli/commands/explain.js").includes(table));
  for (const command of ["check", "as", "link", "inspect", "run"]) {
    t.false(loadedWith(`cli/commands/${command}.js`).includes(table), command);
  }
});
