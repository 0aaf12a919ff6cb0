// inspect --verify: checks whether a file follows the rules of its kind. General ELF linters report properties that every cubin
// has (weak symbols below sh_info, sh_info of .text that is a symbol, sections that have a size and no bytes, overlapping
// sections). They miss faults of cubins (docs/format.md). The rules are a table in three parts: of every ELF file, of CUDA's, of
// ptxkit's. A rule only reports; it never stops another.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Rule, Subject } from "./rule.js";
import { cudaRules } from "./cuda.js";
import { elfRules } from "./elf.js";
import { ownRules } from "./own.js";

/** Every rule with the kind of files that it checks. */
export const RULES: readonly (readonly [of: "elf" | "cuda" | "ptxkit", rule: Rule])[] = [
  ...elfRules.map((rule) => ["elf", rule] as const),
  ...cudaRules.map((rule) => ["cuda", rule] as const),
  ...ownRules.map((rule) => ["ptxkit", rule] as const),
];

export interface VerifiedRule {
  readonly rule: string;
  readonly about: string;
  /** Number of checked items: sections, symbols, records. */
  readonly checked: number;
  readonly findings: number;
}

export interface Verification {
  readonly rules: readonly VerifiedRule[];
  readonly findings: readonly { readonly rule: string; readonly offset: number; readonly what: string }[];
}

/** The remedy, added once per file. */
const REBUILD_REMEDY = "build or fetch the file again: tools do not write such files, so it was changed afterwards";

/** Limit of findings that are shown for one rule; further ones are counted. */
const MAX_SHOWN = 100;

export function verify(subject: Subject, sink: DiagnosticSink): Verification {
  const findings: { readonly rule: string; readonly offset: number; readonly what: string }[] = [];
  const rules = RULES.filter(
    ([of]) => of === "elf" || (of === "cuda" && subject.cuda !== undefined) || (of === "ptxkit" && subject.ours),
  ).map(([, { name, about, check }]): VerifiedRule => {
    let count = 0;
    const checked = check(subject, (offset, what) => {
      if (++count > MAX_SHOWN) return;
      findings.push({ rule: name, offset, what });
      sink.report(
        "broken-rule",
        what,
        { kind: "bytes", file: subject.name, offset },
        {
          notes: [{ message: `rule ${name}: ${about}` }],
          ...(findings.length === 1 ? { remedy: REBUILD_REMEDY } : {}),
        },
      );
    });
    return { rule: name, about, checked, findings: count };
  });
  return { rules, findings };
}
