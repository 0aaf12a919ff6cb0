// What --why-extract, --print-dependencies and --dependency-file write: tables with tabs, as lld and mold have them, and a
// rule for make, as compilers write it.

import type { Dependency } from "../link/reports/dependencies.js";
import type { Extraction } from "../link/archives/select-archive.js";

const row = (...fields: readonly string[]): string => `${fields.join("\t")}\n`;

/** lld's table, in the order of taking. */
export function whyExtractText(extractions: readonly Extraction[]): string {
  return [
    row("reference", "extracted", "symbol"),
    ...extractions.map(({ by, input, symbol }) => row(by, input, symbol)),
  ].join("");
}

/** mold's rows, each "u": every reference of PTX must be defined. */
export function* dependenciesText(dependencies: Iterable<Dependency>): Generator<string, void, undefined> {
  for (const { from, to, symbol } of dependencies) yield row(from, to, "u", symbol);
}

/**
 * `output` depends on `files`; each of those is also a target without prerequisites, so that make does not fail if one is deleted.
 * Written as GNU make and ninja read names: blanks, # and : behind a backslash, with the backslashes before them doubled; $ doubled.
 */
export function dependencyRule(output: string, files: readonly string[]): string {
  const names = [...new Set(files)].map(makeName);
  const rule = [`${makeName(output)}:`, ...names.map((name) => ` ${name}`)].join(" \\\n ");
  return `${rule}\n${names.map((name) => `\n${name}:\n`).join("")}`;
}

const makeName = (name: string): string =>
  name
    .replaceAll(/(\\*)([ \t#:])/g, (_, backslashes: string, c: string) => `${backslashes}${backslashes}\\${c}`)
    .replaceAll("$", "$$$$");
