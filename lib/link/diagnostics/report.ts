// Formats the diagnostics of a link, which were detected as row numbers (../detect/detect.ts), in a fixed order. Formatters
// receive the symbols concerned as values, made from the columns on demand (views.ts). Loaded only for links with findings.

import { once } from "../../base/once.js";
import { reportAgain, type DiagnosticSink } from "../../diag/sink.js";
import { reportNothingLive } from "../gc/collect-options.js";
import { checkCompatibility } from "../messages/compatible.js";
import { checkDriverPrototypes } from "../messages/driver-prototypes.js";
import { reportKernelNames } from "../messages/kernel-names.js";
import { meaningOf, type LinkedNames } from "../model/linked.js";
import { detectOdrViolations } from "../messages/odr.js";
import { reportRoots } from "../messages/roots.js";
import { chooseRoots, type RootOptions } from "../gc/roots.js";
import { createSuggester } from "../messages/suggest.js";
import { reportUnknown } from "../layout/symbol-order.js";
import { reportDroppedNames, reportOutdated } from "../messages/emitted-ptx.js";
import { namedModules, targetFor } from "../model/targets.js";
import { checkAddressSizes } from "../model/address-sizes.js";
import { addressSizeIn } from "../../object/columns/modules.js";
import { reportUndefined } from "../messages/undefined.js";
import type { IsReached } from "../messages/undefined-notes.js";
import { reportExports, reportIdle } from "../messages/visibility.js";
import { markLive } from "../gc/mark-live.js";
import { membersOf } from "../../object/columns/section-variables.js";
import type { ResolvedColumns, MergedRow } from "../resolve/resolve.js";
import { rootCandidates } from "../gc/root-candidates.js";
import { contributionsOf, targetedInputs, viewModules, viewNamed } from "../views/views.js";
import { changeable } from "../resolve/visibility.js";
import type { PassOptions } from "../state/options.js";
import type { ResolvedLink } from "../state/results.js";

/** `names`: names of the files. */
export function reportDiagnostics(
  named: ResolvedLink,
  names: readonly string[],
  options: PassOptions,
  sink: DiagnosticSink,
): void {
  const { beforeGc, afterGc, pending } = named;
  const {
    hasIncompatibleTargets,
    defined,
    possibleConflicts,
    driverMismatches,
    repeatedWeak,
    unusedRules,
    ambiguousExports,
    kernels,
    unknownOrderNames,
  } = pending;
  const { hasMissingRoots, isEmpty, undefinedNames } = pending;
  const { roots = {}, leader = 0 } = options;
  const written = viewNamed(beforeGc, names);
  const left = afterGc === beforeGc ? written : viewNamed(afterGc, names);
  const suggester = () => createSuggester(written, options.suggestElsewhere);
  // Without a target, modules have nothing to be compared with.
  const targeted = once(() => targetedInputs(beforeGc.columns, written.inputs));
  if (hasIncompatibleTargets && targetFor(targeted(), options.arch, sink, leader, pending.fits) === undefined) return;
  if (pending.hasMixedSizes && !checkAddressSizes(targeted().flatMap(namedModules), sink)) return;
  reportAgain(defined, sink);
  const mayGrow = options.relocatable === true && options.asText !== true;
  checkCompatibility(written.inputs, meaningsOf(written, possibleConflicts), { ...options, mayGrow }, sink);
  checkDriverPrototypes(written.inputs, meaningsOf(written, driverMismatches), addressSizeIn(beforeGc.columns), sink);
  detectOdrViolations(written.inputs, meaningsOf(written, repeatedWeak), sink);
  if (unusedRules.rules.length > 0) reportIdle(unusedRules, () => changeable(beforeGc, mayGrow), sink);
  reportExports(written.inputs, chosenOf(written, ambiguousExports), sink);
  reportDroppedNames(pending.dropped, sink);
  if (hasMissingRoots)
    reportRoots(written, rootCandidates(beforeGc.columns, beforeGc.resolution), roots, suggester, sink);
  if (isEmpty && sink.errorCount === 0) reportNothingLive(sink);
  if (undefinedNames.size > 0)
    reportUndefined(left, undefinedNames, () => reachedOf(afterGc, roots), options, suggester, sink);
  reportKernelNames(left.inputs, chosenOf(left, kernels), sink);
  reportUnknown(unknownOrderNames, sink);
  if (pending.outdated.length > 0 && sink.errorCount === 0) {
    const { ptxVersion = named.linkTarget.version } = options;
    reportOutdated(
      left.inputs,
      contributionsOf(afterGc.columns, pending.outdated),
      viewModules(afterGc.columns),
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

/** What --gc-sections would keep; everything if there are no roots. */
function reachedOf({ columns, resolution }: ResolvedColumns, options: RootOptions): IsReached {
  const roots = chooseRoots(rootCandidates(columns, resolution), options);
  const { live } = markLive(columns, resolution, roots.keys(), membersOf(columns));
  const { mergedOf, chosen } = resolution;
  return (object, index) => {
    const row = columns.firstSymbol[object]! + index;
    return roots.size === 0 || (live[mergedOf[row]!] === 1 && chosen[mergedOf[row]!] === row);
  };
}
