// Checks the strings of .pragma: PTX ISA 9.0 section 11.4.7 and chapter 12. Their valid places and arguments are those of ptxas
// 13.0.

import type { Ranged } from "../ptx/source-text.js";
import { requireFeature, type Platform } from "./require.js";
import type { Reporter } from "./reporter.js";

/** The place of a pragma: in the module, after a kernel's parameters, or in a body. */
export type PragmaPlace = "module" | "entry" | "kernel-body" | "function-body";

interface PragmaRule {
  readonly places: readonly PragmaPlace[];
  /** Pattern of the text after the name; undefined if there is no text, or it is not checked. */
  readonly argument?: RegExp;
  readonly takes?: string;
}

const bodies: readonly PragmaPlace[] = ["kernel-body", "function-body"];

const rules: ReadonlyMap<string, PragmaRule> = new Map([
  ["nounroll", { places: ["module", "entry", ...bodies] }],
  ["used_bytes_mask", { places: bodies, argument: /^-?(?:0[xX][0-9a-fA-F]+|\d+)$/, takes: "a mask of 32 bits" }],
  ["enable_smem_spilling", { places: ["kernel-body"] }],
  ["mma_throughput", { places: ["module", "entry", ...bodies] }],
  ["frequency", { places: bodies, argument: /^(?:0[xX][0-9a-fA-F]+|\d+)$/, takes: "how often its block is executed" }],
]);

/** Reports strings that are invalid at that place. Unknown strings have no effect in a function; ptxas warns of them. */
export function checkPragma(
  { strings, ...at }: Ranged & { readonly strings: readonly string[] },
  place: PragmaPlace,
  platform: Platform,
  reporter: Reporter,
): void {
  requireFeature(".pragma", at, platform, reporter);
  for (const text of strings) {
    const [word, ...rest] = text.split(" ");
    const rule = rules.get(word!);
    if (rule === undefined || (word === text.trim() && word !== text)) {
      if (place === "module") reporter.report("directive", at, `there is no pragma "${text}" for modules`);
      else if (text !== "") reporter.report("unknown-pragma", at, `the pragma "${text}" is not known and does nothing`);
      continue;
    }
    requireFeature(`the pragma ${word!}`, at, platform, reporter);
    if (!rule.places.includes(place)) {
      const where = rule.places.includes("function-body") ? "the body of a function" : "the body of a kernel";
      reporter.report("directive", at, `the pragma "${word!}" is allowed in ${where} only`);
    } else if (rule.argument !== undefined && !rule.argument.test(rest.join(" "))) {
      reporter.report("directive", at, `the pragma "${word!}" takes ${rule.takes!}`);
    }
  }
}
