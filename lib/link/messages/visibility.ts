// Diagnostics of --export and --localize (../resolve/visibility.ts): rules without a match, and exported names that several
// symbols have.

import { isGlob } from "../../base/glob.js";
import { createNearest } from "../../base/nearest.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { describe, subjectText, symbolText } from "../model/describe.js";
import { placeOf, type Contribution } from "../model/contributions.js";
import type { ReadInputs } from "../model/linked.js";
import type { IdleRules } from "../resolve/visibility-rules.js";

/** Limit of unknown patterns that are reported one by one. */
const ONE_BY_ONE = 10_000;

/** Warns of patterns without a match. `definitionsOf`: the definitions that rules may change. */
export function reportIdle(
  { rules, fitsKernels }: IdleRules,
  definitionsOf: () => Iterable<{ readonly name: string }>,
  sink: DiagnosticSink,
): void {
  const nearest = createNearest(() => Array.from(definitionsOf(), ({ name }) => name));
  for (const rule of rules.slice(0, ONE_BY_ONE)) {
    const { to, pattern } = rule;
    const isForKernels = fitsKernels(rule);
    // In a C++ signature, `*` is a pointer.
    const [near] = isForKernels || (isGlob(pattern) && !pattern.includes("(")) ? [] : nearest(pattern);
    const what = isForKernels ? "matches only kernels" : "matches no definition in the inputs";
    sink.report("no-effect", `--${to}=${pattern} ${what}`, undefined, {
      remedy: isForKernels
        ? "name each kernel in full: hosts launch kernels by name, so that patterns leave them as they are"
        : near === undefined
          ? "give names as the inputs have them; * stands for any text"
          : `did you mean ${symbolText(near)}?`,
    });
  }
  const next = rules[ONE_BY_ONE];
  if (next === undefined) return;
  const what = `from --${next.to}=${next.pattern} on, ${rules.length - ONE_BY_ONE} more match no symbol that they can change`;
  sink.report("no-effect", what, undefined, {
    remedy: "take them out, or write the names as the inputs have them",
  });
}

/** Reports exported names that several symbols have; `seen`: visible symbols, in link order. */
export function reportExports(inputs: ReadInputs, seen: Iterable<Contribution>, sink: DiagnosticSink): void {
  const byName = new Map<string, Contribution[]>();
  for (const each of seen) {
    const { name } = each.symbol;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [each]);
    else known.push(each);
  }
  for (const [name, [first, second, ...others]] of byName) {
    if (second === undefined) continue;
    const definitions = [first!, second, ...others].map((each) => ({
      place: placeOf(inputs, each),
      as: describe(each.symbol),
    }));
    sink.report(
      "duplicate-symbol",
      `duplicate symbol: ${subjectText(name)}, which --export makes one of several modules`,
      definitions[1]!.place,
      {
        definitions,
        remedy: "rename one of them, or give --export a pattern that fits fewer names",
      },
    );
  }
}
