// Modules with one part of the text replaced, recorded in testdata/check/mutants.json: a sample for each module.

import { readFileSync } from "node:fs";
import { sample } from "../sample.js";

const record = JSON.parse(readFileSync(new URL("../../../testdata/check/mutants.json", import.meta.url), "utf8")) as {
  readonly modules: Readonly<Record<string, string>>;
  readonly mutants: readonly { module: string; start: number; end: number; text: string }[];
};

/** The original texts, by name. */
export const mutatedModules = record.modules;

/** Each mutant as bytes, with its name in messages. */
export const mutants = sample(record.mutants, 10, {
  name: (mutant) => `${mutant.module} ${mutant.start} ${mutant.text}`,
  kind: (mutant) => mutant.module,
}).map(({ module, start, end, text }) => {
  const original = record.modules[module]!;
  const bytes = Buffer.from(original.slice(0, start) + text + original.slice(end));
  return { bytes, label: `${module} ${start} '${text}'` };
});
