// Which diagnostics a link may have, as numbers of rows; ../diagnostics/report.ts formats them. Most links have none.

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
  /** Whether .weak definitions of one name are held against each other. */
  readonly detectOdrViolations?: boolean;
  /** What is known of a name from members of archives that were not taken, where it stays undefined. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
}

export interface PendingDiagnostics {
  /** Whether some module is for a target that cannot be linked for the output's, or --arch names none. */
  readonly hasIncompatibleTargets: boolean;
  readonly fits: Fits;
  /** Whether some modules have addresses of 32 bits and others of 64. */
  readonly hasMixedSizes: boolean;
  /** Names of --defsym that a text lacks. */
  readonly dropped: readonly AliasRow[];
  /** What --defsym says. */
  readonly defined: readonly Diagnostic[];
  /** Before anything is dropped: names that modules may disagree on, and those with `.weak` definitions to be compared. */
  readonly possibleConflicts: readonly MergedRow[];
  /** Functions of the driver that are not declared as it has them. */
  readonly driverMismatches: readonly MergedRow[];
  readonly repeatedWeak: readonly MergedRow[];
  /** Of --export and --localize: rules that fit nothing, and what others see by a name that something else has, too. */
  readonly unusedRules: IdleRules;
  readonly ambiguousExports: readonly MergedRow[];
  /** Whether options name roots that are not there. */
  readonly hasMissingRoots: boolean;
  /** Whether --gc-sections leaves nothing of what was defined. */
  readonly isEmpty: boolean;
  /** Undefined symbols that are referenced, and the kernels, if two have one name. */
  readonly undefinedNames: ReadonlyMap<MergedRow, readonly Referring[]>;
  readonly kernels: readonly MergedRow[];
  /** Names of the order that nothing has. */
  readonly unknownOrderNames: UnknownNames;
  /** Of a text: what its version has no longer, in the order of the output. */
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

/** What is known of a link. */
interface DetectedIn {
  readonly beforeGc: ResolvedColumns;
  readonly afterGc: ResolvedColumns;
  readonly target: Target;
  /** Of a text. */
  readonly version: PtxVersion;
  /** Whether a module may go into the output. */
  readonly fits: Fits;
  readonly hasUnknownArch: boolean;
  /** Names that --defsym gives, and what it says. */
  readonly aliases: readonly AliasRow[];
  readonly found: readonly Diagnostic[];
  /** Of --export and --localize. */
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
  // What an object lacks later links may have.
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

/** Variables of modules of before PTX 3.0 (lastVersion of object/print/old-platform.ts). */
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

/** All kernels in the order of names, where two have one name. */
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

/** Those that neither a function nor a variable outside shared memory has. */
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
