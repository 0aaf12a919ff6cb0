// The diagnostics of a link: what was detected (../remarks/remarks.ts), in words and in a fixed order. Formatters get the names
// concerned as values, which are made of the columns on demand (view.ts). Loaded only for links that have findings.

import { once } from "../../../base/once.js";
import { reportAgain, type DiagnosticSink } from "../../../diag/sink.js";
import { reportNothingLive } from "../../live/collect.js";
import { checkCompatibility } from "../../names/compatible.js";
import { checkDriverPrototypes } from "../../names/driver-prototypes.js";
import { reportKernelNames } from "../../names/kernel-names.js";
import { meaningOf, type LinkedNames } from "../../linked.js";
import { detectOdrViolations } from "../../names/odr.js";
import { reportRoots } from "../../live/root-candidates.js";
import { chooseRoots, type RootOptions } from "../../live/roots.js";
import { createSuggester } from "../../undefined/suggest.js";
import { reportUnknown } from "../../layout/symbol-order.js";
import { reportDroppedNames, reportOutdated } from "../../output/text-remarks.js";
import { namedModules, targetFor } from "../../targets.js";
import { checkAddressSizes } from "../../address-sizes.js";
import { addressSizeIn } from "../tables/modules.js";
import { reportUndefined } from "../../undefined/undefined.js";
import type { IsReached } from "../../undefined/undefined-notes.js";
import { reportExports, reportIdle } from "../../names/visibility.js";
import type { PlainNamed, PlainOptions } from "../link.js";
import { findPlainLive } from "../live/live.js";
import { membersOf } from "../tables/members.js";
import type { Collected, MergedRow } from "../names/resolve.js";
import { plainCandidates } from "../live/roots.js";
import { contributionsOf, targetedInputs, viewModules, viewNamed } from "./view.js";
import { changeable } from "../image/visibility.js";

/** `names`: of the files. */
export function tellPlain(
  named: PlainNamed,
  names: readonly string[],
  options: PlainOptions,
  sink: DiagnosticSink,
): void {
  const { asWritten, kept, remarks } = named;
  const { hasMisfits, defined, doubtful, misdeclared, repeated, idle, doubled, kernels, unordered } = remarks;
  const { lacksRoots, hasNothing, missing } = remarks;
  const { roots = {}, leader = 0 } = options;
  const written = viewNamed(asWritten, names);
  const left = kept === asWritten ? written : viewNamed(kept, names);
  const suggester = () => createSuggester(written, options.suggestElsewhere);
  // Without a target there is nothing to hold modules against.
  const targeted = once(() => targetedInputs(asWritten.tables, written.inputs));
  if (hasMisfits && targetFor(targeted(), options.arch, sink, leader, remarks.fits) === undefined) return;
  if (remarks.hasMixedSizes && !checkAddressSizes(targeted().flatMap(namedModules), sink)) return;
  reportAgain(defined, sink);
  const mayGrow = options.relocatable === true && options.asText !== true;
  checkCompatibility(written.inputs, meaningsOf(written, doubtful), { ...options, mayGrow }, sink);
  checkDriverPrototypes(written.inputs, meaningsOf(written, misdeclared), addressSizeIn(asWritten.tables), sink);
  detectOdrViolations(written.inputs, meaningsOf(written, repeated), sink);
  if (idle.rules.length > 0) reportIdle(idle, () => changeable(asWritten, mayGrow), sink);
  reportExports(written.inputs, chosenOf(written, doubled), sink);
  reportDroppedNames(remarks.dropped, sink);
  if (lacksRoots) reportRoots(written, plainCandidates(asWritten.tables, asWritten.resolution), roots, suggester, sink);
  if (hasNothing && sink.errorCount === 0) reportNothingLive(sink);
  if (missing.size > 0) reportUndefined(left, missing, () => reachedOf(kept, roots), options, suggester, sink);
  reportKernelNames(left.inputs, chosenOf(left, kernels), sink);
  reportUnknown(unordered, sink);
  if (remarks.outdated.length > 0 && sink.errorCount === 0) {
    const { ptxVersion = named.goal.version } = options;
    reportOutdated(
      left.inputs,
      contributionsOf(kept.tables, remarks.outdated),
      viewModules(kept.tables),
      ptxVersion,
      sink,
    );
  }
}

function* meaningsOf({ resolution }: LinkedNames, symbols: readonly MergedRow[]) {
  for (const symbol of symbols) yield meaningOf(resolution, symbol);
}

const chosenOf = ({ resolution: { merged } }: LinkedNames, symbols: readonly MergedRow[]) =>
  symbols.map((symbol) => merged.at(symbol)!.chosen);

/** What --gc-sections would keep; all of it where there are no roots. */
function reachedOf({ tables, resolution }: Collected, options: RootOptions): IsReached {
  const roots = chooseRoots(plainCandidates(tables, resolution), options);
  const { live } = findPlainLive(tables, resolution, roots.keys(), membersOf(tables));
  const { mergedOf, chosen } = resolution;
  return (object, index) => {
    const row = tables.firstSymbol[object]! + index;
    return roots.size === 0 || (live[mergedOf[row]!] === 1 && chosen[mergedOf[row]!] === row);
  };
}
