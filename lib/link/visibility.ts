// Pass: --export and --localize, after names are resolved, as llvm's internalize is: what modules refer to in each other stays
// connected, and only what hosts, later links and --gc-sections see of a definition changes. Of the patterns that fit a name
// the last one counts. Kernels stay as they are unless a pattern without wildcards names them, because a host launches them
// by name. Variables of a function's own keep to that function.
// Rejected: version scripts, whose one use here is this.

import { compileGlob, isGlob } from "../base/glob.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { ObjectSymbol } from "../object/object.js";
import { describe, subjectText } from "./describe.js";
import { isLocal, placeOf, type Contribution, type Inputs } from "./inputs.js";
import { claimOf, type Merged, type Resolution } from "./resolve.js";

export interface VisibilityRule {
  readonly to: "export" | "localize";
  /** A name, or a pattern of base/glob. */
  readonly pattern: string;
}

interface Resolved {
  readonly inputs: Inputs;
  readonly resolution: Resolution;
}

/** The inputs with other linkages. An exported name that something else has already is an error. */
export function setVisibility(resolved: Resolved, rules: readonly VisibilityRule[], sink: DiagnosticSink): Resolved {
  const { inputs, resolution } = resolved;
  const linkageOf = linkageChooser(rules);
  const changed = inputs.map(() => new Map<number, ObjectSymbol>());
  for (const { chosen } of resolution.merged) {
    const linkage = linkageOf(chosen.symbol);
    if (linkage !== undefined) changed[chosen.object]!.set(chosen.index, { ...chosen.symbol, linkage });
  }
  if (changed.every(({ size }) => size === 0)) return resolved;
  const update = (each: Contribution): Contribution => {
    const symbol = changed[each.object]!.get(each.index);
    return symbol === undefined ? each : { ...each, symbol };
  };
  const merged = resolution.merged.map((each): Merged => {
    const chosen = update(each.chosen);
    if (chosen === each.chosen) return each;
    return { ...each, chosen, all: each.all.map((one) => (one === each.chosen ? chosen : one)) };
  });
  checkExports(inputs, merged, sink);
  return {
    inputs: inputs.map((input, object) => {
      const own = changed[object]!;
      return own.size === 0 ? input : { ...input, symbols: input.symbols.map((symbol, i) => own.get(i) ?? symbol) };
    }),
    resolution: { ...resolution, merged },
  };
}

/** The linkage that the rules give a definition; undefined where it has that already. */
function linkageChooser(rules: readonly VisibilityRule[]): (symbol: ObjectSymbol) => "visible" | "static" | undefined {
  const tests = rules.map(({ to, pattern }) => ({ to, test: compileGlob(pattern), isName: !isGlob(pattern) }));
  return (symbol) => {
    if (claimOf(symbol) === "declared") return undefined;
    if (symbol.kind === "variable" && symbol.scope !== undefined) return undefined;
    const isKernel = symbol.kind === "function" && symbol.entry;
    const rule = tests.findLast(({ test, isName }) => (isName || !isKernel) && test(symbol.name));
    if (rule === undefined || isLocal(symbol) === (rule.to === "localize")) return undefined;
    return rule.to === "export" ? "visible" : "static";
  };
}

/** Two things that are visible under one name: at least one of them was static before. */
function checkExports(inputs: Inputs, merged: readonly Merged[], sink: DiagnosticSink): void {
  const byName = new Map<string, Contribution[]>();
  for (const { name, chosen } of merged) {
    if (isLocal(chosen.symbol)) continue;
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [chosen]);
    else known.push(chosen);
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
