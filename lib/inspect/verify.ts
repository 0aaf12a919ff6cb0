// inspect --verify: whether a file keeps the rules of its own kind. An ELF linter does not know cubins, and takes for faults
// what every cubin has (weak symbols below sh_info, sh_info of .text that is a symbol, sections that have a size and no
// bytes, two sections over the same bytes), and it does not see what would be wrong in one (docs/format.md). The rules are
// a table in three parts: of every ELF file, of CUDA's, of ours. A rule reports; it never stops another.

import type { DiagnosticSink } from "../diag/sink.js";
import type { Rule, Subject } from "./rule.js";
import { cudaRules } from "./rules-cuda.js";
import { elfRules } from "./rules-elf.js";
import { ownRules } from "./rules-own.js";

/** Every rule with the files that it is for. */
export const RULES: readonly (readonly [of: "elf" | "cuda" | "ptxkit", rule: Rule])[] = [
  ...elfRules.map((rule) => ["elf", rule] as const),
  ...cudaRules.map((rule) => ["cuda", rule] as const),
  ...ownRules.map((rule) => ["ptxkit", rule] as const),
];

export interface VerifiedRule {
  readonly rule: string;
  readonly about: string;
  /** Things checked: sections, symbols, records. */
  readonly checked: number;
  readonly findings: number;
}

export interface Verification {
  readonly rules: readonly VerifiedRule[];
  readonly findings: readonly { readonly rule: string; readonly offset: number; readonly what: string }[];
}

/** Said once for a file. */
const AGAIN = "make the file again, or fetch it again: tools do not write such files, it was changed on the way";

/** Findings that are shown for one rule; the rest is counted. */
const MOST_TOLD = 100;

export function verify(subject: Subject, sink: DiagnosticSink): Verification {
  const findings: { readonly rule: string; readonly offset: number; readonly what: string }[] = [];
  const rules = RULES.filter(
    ([of]) => of === "elf" || (of === "cuda" && subject.cuda !== undefined) || (of === "ptxkit" && subject.ours),
  ).map(([, { name, about, check }]): VerifiedRule => {
    let count = 0;
    const checked = check(subject, (offset, what) => {
      if (++count > MOST_TOLD) return;
      findings.push({ rule: name, offset, what });
      sink.report(
        "broken-rule",
        what,
        { kind: "bytes", file: subject.name, offset },
        {
          notes: [{ message: `rule ${name}: ${about}` }],
          ...(findings.length === 1 ? { remedy: AGAIN } : {}),
        },
      );
    });
    return { rule: name, about, checked, findings: count };
  });
  return { rules, findings };
}
