// The programs of several modules in testdata, with their texts in link order.

import { readdirSync, readFileSync } from "node:fs";

export const testdata = new URL("../../../testdata/", import.meta.url);

export interface Program {
  /** Folder in testdata. */
  readonly folder: string;
  readonly files: readonly string[];
  readonly texts: readonly string[];
  /** What the first module's .target says. */
  readonly target: string;
}

export function programsOfSeveralModules(): readonly Program[] {
  const names = readdirSync(new URL("programs/", testdata), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `programs/${name}/`)
    .sort();
  return ["demo/", ...names].map(readProgram).filter(({ files }) => files.length > 1);
}

export function readProgram(folder: string): Program {
  const at = new URL(folder, testdata);
  const files = readdirSync(at)
    .filter((name) => name.endsWith(".ptx"))
    .sort();
  const texts = files.map((name) => readFileSync(new URL(name, at), "utf8"));
  const target = /^\s*\.target\s+(sm_\w+)/m.exec(texts[0] ?? "")?.[1] ?? "sm_75";
  return { folder, files, texts, target };
}
