// Detects the diagnostics of a link, as row numbers; ../diagnostics/report.ts formats them. Most links have none.

import type { PtxVersion } from "../../isa/targets.table.js";
import { HAS_SCOPE } from "../../object/file/declaration-codes.js";
import type { Diagnostic } from "../../diag/diagnostic.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import type { CompatibilityOptions } from "../messages/compatible.js";
import { missingRoots, namesRoots, type RootOptions } from "../gc/roots.js";
import type { Referring } from "../model/reference-place.js";
import type { Fits } from "../model/targets.js";
import type { UndefinedOptions } from "../messages/unresolved.js";
import type { IdleRules } from "../resolve/visibility-rules.js";
import type { DataOrder } from "../layout/data-order.js";
import { NO_UNKNOWN_NAMES, unknownNames, type OrderedNames, type UnknownNames } from "../layout/symbol-order.js";
import type { AliasRow } from "../image/aliases.js";
import { findPossibleConflicts, findDriverMismatches, findRepeatedWeak } from "./conflicts.js";
import { inOutputOrder } from "../resolve/output-order.js";
import { type MergedRow, type ResolvedColumns, isBank, rankOf } from "../resolve/resolve.js";
import { isDataRole, ROLE } from "../../object/columns/codes.js";
import { rootCandidates } from "../gc/root-candidates.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isVariable,
  SPACE,
  spaceOf,
  type SymbolRow,
  type Columns,
} from "../../object/columns/columns.js";
import { addressSizesIn } from "../../object/columns/modules.js";
import { stringOf, type StringId } from "../../object/columns/strings.js";
import { findUndefined } from "./undefined.js";
import type { Suggestion } from "../model/suggestion.js";
import { RANK } from "../model/binding-rank.js";

export interface DetectOptions extends CompatibilityOptions, UndefinedOptions {
  /** Whether .weak definitions of one name are compared. */
  readonly detectOdrViolations?: boolean;
  /** Looks up an undefined name in archive members that were not extracted. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
}

export interface PendingDiagnostics {
  /** Whether some module's target cannot be linked for the output's target, or --arch names an unknown one. */
  readonly hasIncompatibleTargets: boolean;
  readonly fits: Fits;
  /** Whether some modules have 32-bit addresses and others 64-bit ones. */
  readonly hasMixedSizes: boolean;
  /** Names of --defsym that are missing from a merged text. */
  readonly dropped: readonly AliasRow[];
  /** Diagnostics of --defsym. */
  readonly defined: readonly Diagnostic[];
  /** Before garbage collection: names whose declarations may conflict. `repeatedWeak`: names with several `.weak` definitions. */
  readonly possibleConflicts: readonly MergedRow[];
  /** Functions of the driver whose declaration differs from the driver's. */
  readonly driverMismatches: readonly MergedRow[];
  readonly repeatedWeak: readonly MergedRow[];
  /** For --export and --localize: rules without a match, and exported names that several symbols have. */
  readonly unusedRules: IdleRules;
  readonly ambiguousExports: readonly MergedRow[];
  /** Whether options name roots that do not exist. */
  readonly hasMissingRoots: boolean;
  /** Whether --gc-sections removes all definitions. */
  readonly isEmpty: boolean;
  /** Undefined symbols with their references. `kernels`: all kernels, if two have the same name. */
  readonly undefinedNames: ReadonlyMap<MergedRow, readonly Referring[]>;
  readonly kernels: readonly MergedRow[];
  /** Names of the order file that no symbol has. */
  readonly unknownOrderNames: UnknownNames;
  /** For a merged text: variables that its PTX version no longer supports, in output order. */
  readonly outdated: readonly SymbolRow[];
}

export const hasDiagnostics = (pending: PendingDiagnostics): boolean =>
  pending.hasIncompatibleTargets ||
  pending.hasMixedSizes ||
  pending.hasMissingRoots ||
  pending.isEmpty ||
  pending.undefinedNames.size > 0 ||
  [
    pending.defined,
    pending.dropped,
    pending.possibleConflicts,
    pending.driverMismatches,
    pending.repeatedWeak,
    pending.unusedRules.rules,
    pending.ambiguousExports,
    pending.kernels,
    pending.unknownOrderNames.first,
    pending.outdated,
  ].some(({ length }) => length > 0);

/** The input of the detection. */
interface DetectedIn {
  readonly beforeGc: ResolvedColumns;
  readonly afterGc: ResolvedColumns;
  readonly target: Target;
  /** PTX version of a merged text. */
  readonly version: PtxVersion;
  /** Whether a module may go into the output. */
  readonly fits: Fits;
  readonly hasUnknownArch: boolean;
  /** Names that --defsym defines, and its diagnostics. */
  readonly aliases: readonly AliasRow[];
  readonly found: readonly Diagnostic[];
  /** Results of --export and --localize. */
  readonly unusedRules: IdleRules;
  readonly ambiguousExports: readonly MergedRow[];
}

export function detectDiagnostics(
  {
    beforeGc,
    afterGc,
    target,
    version,
    fits,
    hasUnknownArch,
    aliases,
    found,
    unusedRules,
    ambiguousExports,
  }: DetectedIn,
  options: DetectOptions &
    DataOrder & {
      readonly roots?: RootOptions;
      readonly relocatable?: boolean;
      readonly asText?: boolean;
    },
): PendingDiagnostics {
  const { columns, resolution } = beforeGc;
  // Names that an object lacks may be defined by later links.
  const isImage = options.relocatable !== true;
  const doubtful = findPossibleConflicts(columns, resolution, options.warnCommon === true);
  const repeated = options.detectOdrViolations === true ? findRepeatedWeak(columns, resolution) : [];
  return {
    hasIncompatibleTargets:
      hasUnknownArch || [...columns.targets].some((each) => !fits(targetOf(stringOf(columns.strings, each)), target)),
    fits,
    hasMixedSizes: addressSizesIn(columns).size > 1,
    dropped: options.asText === true ? aliases : [],
    defined: found,
    possibleConflicts: doubtful,
    driverMismatches: findDriverMismatches(columns, resolution),
    repeatedWeak: repeated,
    unusedRules,
    ambiguousExports,
    hasMissingRoots: lacksRoots(beforeGc, options.roots ?? {}),
    isEmpty: afterGc.columns.firstSymbol.at(-1) === 0 && hasDefinitions(beforeGc),
    undefinedNames: isImage ? findUndefined(afterGc, options) : new Map(),
    kernels: isImage ? ambiguousKernels(afterGc) : [],
    unknownOrderNames: unorderedNames(afterGc, options.symbolOrder?.names),
    outdated: options.asText === true ? outdatedIn(afterGc, version) : [],
  };
}

/** Variables that only PTX before 3.0 supports (lastVersion of object/print/old-platform.ts). */
function outdatedIn({ columns, resolution }: ResolvedColumns, version: PtxVersion): readonly SymbolRow[] {
  const { chosen, count } = resolution;
  const isOutdated = (row: SymbolRow): boolean =>
    isVariable(columns, row) &&
    spaceOf(columns, row) >= SPACE.local &&
    (columns.flags[row]! & HAS_SCOPE) === 0 &&
    version > (isBank(columns, row) ? LAST_WITH_BANKS : LAST_WITH_LOCALS);
  if (!chosen.subarray(0, count).some(isOutdated)) return [];
  const ordered = inOutputOrder(columns, resolution, "in front");
  return [...ordered.chosen].filter(isOutdated);
}

const LAST_WITH_BANKS = 21;
const LAST_WITH_LOCALS = 23;

export const targetOf = (name: string): Target => parseTarget(name)!;

function lacksRoots({ columns, resolution }: ResolvedColumns, options: RootOptions): boolean {
  if (!namesRoots(options)) return false;
  const { kernels, variables, required } = missingRoots(rootCandidates(columns, resolution), options);
  return kernels.length + variables.length + required.length > 0;
}

function hasDefinitions({ columns, resolution: { chosen, count } }: ResolvedColumns): boolean {
  for (let row = 0; row < count; row++) if (rankOf(columns, chosen[row]!) !== RANK.declared) return true;
  return false;
}

/** All kernels in the order of names, if two of them have the same name; otherwise empty. */
function ambiguousKernels({ columns, resolution: { mergedOf, chosen, count } }: ResolvedColumns): readonly MergedRow[] {
  const names = new Set<StringId>();
  const own = columns.kernels.filter((kernel) => chosen[mergedOf[kernel]!] === kernel);
  for (const kernel of own) names.add(columns.name[kernel]!);
  if (names.size === own.length) return [];
  const kernels: MergedRow[] = [];
  for (let row = 0; row < count; row++) if (isDefinedKernel(columns, chosen[row]!)) kernels.push(row);
  return kernels;
}

const isDefinedKernel = (columns: Columns, symbol: number): boolean =>
  isFunction(columns, symbol) && isEntry(columns, symbol) && columns.sectionOf[symbol]! >= 0;

/** Names of the order that belong neither to a function nor to a variable outside shared memory. */
function unorderedNames(
  { columns, resolution: { chosen, count } }: ResolvedColumns,
  names: OrderedNames | undefined,
): UnknownNames {
  if (names === undefined) return NO_UNKNOWN_NAMES;
  const known = new Set<string>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    const role = columns.sectionOf[symbol]! < 0 ? -1 : columns.role[columns.sectionOf[symbol]!]!;
    if (isCommon(columns, symbol) || role === ROLE.text || isDataRole(role))
      known.add(stringOf(columns.strings, columns.name[symbol]!));
  }
  return unknownNames(names, (name) => known.has(name));
}
