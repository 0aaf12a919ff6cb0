// Suppresses known findings by a file with a rule on each line, `KIND KERNEL FILE:LINE`. Each word may be a pattern with `*` and
// `?`; words at the end may be omitted; `#` begins a comment. A rule matches a finding by its kind, its kernel, and the place of
// one of its parties (from .loc, in PTX, or of an inlined call).

import { compileGlob } from "../base/glob.js";
import type { Finding, Party } from "../exec/sanitize/finding.js";
import type { DiagnosticSink } from "../diag/sink.js";

interface Rule {
  readonly kind: (text: string) => boolean;
  readonly kernel: (text: string) => boolean;
  readonly place: (text: string) => boolean;
}

export interface Suppressions {
  /** Returns the findings that no rule matches, and the number of suppressed ones. */
  apply(findings: readonly Finding[]): { readonly kept: readonly Finding[]; readonly suppressed: number };
}

const KINDS: ReadonlySet<string> = new Set([
  "out-of-bounds",
  "use-after-free",
  "double-free",
  "misaligned",
  "uninitialized",
  "race",
  "barrier",
  "warp-mask",
  "missing-wait",
  "mbarrier",
  "leak",
]);

/** Names of kinds that earlier versions printed. */
const RENAMED_KINDS: Readonly<Record<string, string>> = {
  "beyond-object": "out-of-bounds",
  "misaligned-object": "misaligned",
  "barrier-misuse": "barrier",
  "mbarrier-misuse": "mbarrier",
  "heap-leak": "leak",
};

/** Reads the rules; undefined after a report. */
export function readSuppressions(file: string, text: string, sink: DiagnosticSink): Suppressions | undefined {
  const errorsBefore = sink.errorCount;
  const rules = text.split("\n").flatMap((line, i): Rule[] => {
    const [word = "", kernel = "*", place = "*", ...rest] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (word === "") return [];
    const kind = RENAMED_KINDS[word] ?? word;
    const isKind = /[*?]/.test(kind) || KINDS.has(kind);
    if (isKind && rest.length === 0)
      return [{ kind: compileGlob(kind), kernel: compileGlob(kernel), place: compileGlob(place) }];
    sink.report(
      "suppressions",
      isKind ? `'${rest[0]}' is more than kind, kernel and place` : `there is no kind of finding '${kind}'`,
      { kind: "line", file, line: i + 1 },
    );
    return [];
  });
  if (sink.errorCount > errorsBefore) return undefined;
  return {
    apply(findings) {
      const kept = findings.filter((finding) => !rules.some((rule) => fits(rule, finding)));
      return { kept, suppressed: findings.length - kept.length };
    },
  };
}

const fits = ({ kind, kernel, place }: Rule, finding: Finding): boolean =>
  kind(finding.kind) && kernel(finding.kernel) && placesOf(finding).some(place);

/** `FILE:LINE`, and the file's base name with its line, for rules without folders. */
function placesOf(finding: Finding): readonly string[] {
  const of = ({ file, line, ptx, inlinedAt = [] }: Party) => [{ file, line }, ptx, ...inlinedAt];
  return [finding, finding.other]
    .flatMap((party) => (party === undefined ? [] : of(party)))
    .flatMap(({ file, line }) => [`${file}:${line}`, `${file.replace(/.*\//, "")}:${line}`]);
}
