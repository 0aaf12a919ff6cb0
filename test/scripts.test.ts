// Programs that package.json runs with node must not import ava.

import { readFileSync } from "node:fs";
import test from "ava";

const root = new URL("../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const programs = [...new Set(Object.values(scripts).flatMap((script) => script.match(/\bdist\/[\w/-]+\.js\b/g) ?? []))];

/** The import path from a program to ava; undefined if there is none. */
function importOfAva(file: URL, seen = new Set<string>()): readonly string[] | undefined {
  if (seen.has(file.href)) return undefined;
  seen.add(file.href);
  for (const [, name] of readFileSync(file, "utf8").matchAll(/^(?:import|export)(?: [^;"]* from)? "([^"]+)";$/gm)) {
    if (name === "ava") return [file.pathname];
    const rest = name!.startsWith(".") ? importOfAva(new URL(name!, file), seen) : undefined;
    if (rest !== undefined) return [file.pathname, ...rest];
  }
  return undefined;
}

for (const program of programs)
  test(`${program} does not import ava, which refuses to be run by node`, (t) => {
    t.is(importOfAva(new URL(program, root))?.join(" imports "), undefined);
  });
