// Pass: --detect-odr-violations. C++ lets many modules define an inline function or a template, on condition that all definitions
// are the same (the one-definition rule); the linker uses the first .weak one and ignores the others. This pass compares them.
// A warning, because the link is still well defined; compatible.ts reports the differences that are errors (sizes, prototypes).
// Reads each weak definition of a name with several once.

import type { DiagnosticSink } from "../../diag/sink.js";
import { findDifference, type Difference } from "./definitions.js";
import { describe, symbolText } from "../model/describe.js";
import { moduleName, moduleText, placeOf, type Contribution } from "../model/contributions.js";
import type { Meaning, ReadInputs } from "../model/linked.js";
import { rankOf } from "../model/binding-rank.js";

export function detectOdrViolations(inputs: ReadInputs, meanings: Iterable<Meaning>, sink: DiagnosticSink): void {
  for (const { chosen, all } of meanings) {
    if (all.length === 1 || rankOf(chosen.symbol) === "declared") continue;
    const others = all.flatMap((other) => {
      if (other === chosen || rankOf(other.symbol) !== "weak" || other.symbol.kind !== chosen.symbol.kind) return [];
      const difference = findDifference(inputs, other, chosen);
      return difference === undefined ? [] : [{ other, difference }];
    });
    if (others.length > 0) report(inputs, chosen, others, sink);
  }
}

interface Violation {
  readonly other: Contribution;
  readonly difference: Difference;
}

function report(
  inputs: ReadInputs,
  chosen: Contribution,
  violations: readonly Violation[],
  sink: DiagnosticSink,
): void {
  const [{ other, difference }, ...more] = violations as [Violation, ...Violation[]];
  const at = (of: Contribution, line?: number) => {
    const place = placeOf(inputs, of);
    return line === undefined ? place : { ...place, line };
  };
  const lines = difference.lines;
  sink.report(
    "odr-violation",
    `${symbolText(chosen.symbol.name)} has different definitions: ${moduleText(inputs, other)} ${difference.what}, in ` +
      `${moduleText(inputs, chosen)}, which was taken`,
    placeOf(inputs, other),
    {
      notes: [
        { message: `taken is ${describe(chosen.symbol)}`, place: placeOf(inputs, chosen) },
        ...(lines === undefined
          ? []
          : [
              { message: "differs first here", place: at(other, lines[0]) },
              { message: "from here", place: at(chosen, lines[1]) },
            ]),
        ...more.map((each) => ({
          message: `${moduleName(inputs, each.other)} ${each.difference.what}`,
          place: placeOf(inputs, each.other),
        })),
      ],
      remedy: "build all modules from one source with the same options, or give the definitions different names",
    },
  );
}
