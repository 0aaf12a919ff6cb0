// The output of --why-extract and --print-dependencies, tab-separated tables as in lld and mold, and of --dependency-file, a make
// rule as compilers write it.

import type { Dependency } from "../link/reports/dependencies.js";
import type { Extraction } from "../link/archives/select-archive.js";

const row = (...fields: readonly string[]): string => `${fields.join("\t")}\n`;

/** lld's table, in the order of extraction. */
export function whyExtractText(extractions: readonly Extraction[]): string {
  return [
    row("reference", "extracted", "symbol"),
    ...extractions.map(({ by, input, symbol }) => row(by, input, symbol)),
  ].join("");
}

/** mold's rows. Each has "u", because PTX has no weak references. */
export function* dependenciesText(dependencies: Iterable<Dependency>): Generator<string, void, undefined> {
  for (const { from, to, symbol } of dependencies) yield row(from, to, "u", symbol);
}

/**
 * A rule in which `output` depends on `files`. Each file is also a target without prerequisites, so that make does not fail if
 * one is deleted. Names are escaped for GNU make and ninja. A backslash precedes blanks, # and :, and backslashes before them are
 * doubled; $ is doubled.
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
