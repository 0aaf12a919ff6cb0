// What the oracle compares: every program of testdata for its own target, the module of corner cases for one target of each
// generation, generated modules of many variables, and the
// snippets of testdata/check that ptxas accepts.

import { readFileSync } from "node:fs";
import { corners } from "../object/corners.js";
import { ptxFiles } from "../object/pipeline.js";
import { randomVariables } from "./generate.js";

export interface Input {
  /** Stable name, for records. */
  readonly name: string;
  readonly text: string;
}

const withTarget = (text: string, target: string): string =>
  text.replace(/^\.version .*$/m, ".version 8.8").replace(/^\.target \w+/m, `.target ${target}`);

export function inputs(): readonly Input[] {
  const programs = ptxFiles().map((path) => ({
    name: path.slice(path.indexOf("testdata/")),
    text: readFileSync(path, "utf8"),
  }));
  const targets = ["sm_75", "sm_80", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"];
  const verdicts = JSON.parse(
    readFileSync(new URL("../../../testdata/check/verdicts.json", import.meta.url), "utf8"),
  ) as {
    readonly snippets: readonly { readonly text: string; readonly accepted: boolean; readonly target?: string }[];
  };
  const snippets = verdicts.snippets.filter(({ accepted }) => accepted);
  const seeds = Array.from({ length: 12 }, (_, i) => i + 1);
  return [
    ...programs,
    ...targets.map((target) => ({ name: `corners ${target}`, text: withTarget(corners, target) })),
    ...snippets.map(({ text, target }) => ({
      name: `snippet ${text}`,
      text: `.version 8.5\n.target ${target ?? "sm_75"}\n.address_size 64\n${text.replaceAll("\\n", "\n")}\n`,
    })),
    ...seeds.map((seed) => {
      const target = targets[seed % targets.length]!;
      return { name: `variables ${seed} ${target}`, text: randomVariables(seed, target) };
    }),
  ];
}

/** The architecture that ptxas is asked for: the module's own, but none older than its oldest. */
export function architecture(text: string): string {
  const target = /^\s*\.target\s+(\w+)/m.exec(text)?.[1] ?? "sm_75";
  return Number(/\d+/.exec(target)![0]) < 75 ? "sm_75" : target;
}
