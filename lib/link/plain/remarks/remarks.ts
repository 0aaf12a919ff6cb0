// Which diagnostics a link may have, as numbers of rows; ../tell/tell.ts formats them. Most links have none.

import type { Diagnostic } from "../../../diag/diagnostic.js";
import { parseTarget, type PtxVersion, type Target } from "../../../isa/requirement.js";
import type { CompatibilityOptions } from "../../names/compatible.js";
import type { Suggestion } from "../../undefined/suggest.js";
import { missingRoots, namesRoots, type RootOptions } from "../../live/roots.js";
import type { Referring } from "../../reference-place.js";
import type { Fits } from "../../targets.js";
import type { UndefinedOptions } from "../../undefined/unresolved.js";
import type { IdleRules } from "../../names/visibility-rules.js";
import type { DataOrder } from "../layout/data-order.js";
import { NO_UNKNOWN_NAMES, unknownNames, type OrderedNames, type UnknownNames } from "../../layout/symbol-order.js";
import type { PlainAlias } from "../image/aliases.js";
import { findDoubtful, findMisdeclared, findRepeated } from "./doubt.js";
import { inPlainOrder } from "../names/output-order.js";
import { CLAIM, claimOf, isBank, type MergedRow, type Collected } from "../names/resolve.js";
import { HAS_SCOPE, isDataRole, ROLE } from "../tables/codes.js";
import { plainCandidates } from "../live/roots.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isVariable,
  SPACE,
  spaceOf,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { addressSizesIn } from "../tables/modules.js";
import { textOf, type TextId } from "../tables/texts.js";
import { findUndefined } from "./undefined.js";

export interface RemarkOptions extends CompatibilityOptions, UndefinedOptions {
  /** Whether .weak definitions of one name are held against each other. */
  readonly detectOdrViolations?: boolean;
  /** What is known of a name from members of archives that were not taken, where it stays undefined. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
}

export interface PlainRemarks {
  /** Whether some module is for a target that cannot be linked for the output's, or --arch names none. */
  readonly hasMisfits: boolean;
  readonly fits: Fits;
  /** Whether some modules have addresses of 32 bits and others of 64. */
  readonly hasMixedSizes: boolean;
  /** Names of --defsym that a text lacks. */
  readonly dropped: readonly PlainAlias[];
  /** What --defsym says. */
  readonly defined: readonly Diagnostic[];
  /** Before anything is dropped: names that modules may disagree on, and those with `.weak` definitions to be compared. */
  readonly doubtful: readonly MergedRow[];
  /** Functions of the driver that are not declared as it has them. */
  readonly misdeclared: readonly MergedRow[];
  readonly repeated: readonly MergedRow[];
  /** Of --export and --localize: rules that fit nothing, and what others see by a name that something else has, too. */
  readonly idle: IdleRules;
  readonly doubled: readonly MergedRow[];
  /** Whether options name roots that are not there. */
  readonly lacksRoots: boolean;
  /** Whether --gc-sections leaves nothing of what was defined. */
  readonly hasNothing: boolean;
  /** Undefined symbols that are referenced, and the kernels, if two have one name. */
  readonly missing: ReadonlyMap<MergedRow, readonly Referring[]>;
  readonly kernels: readonly MergedRow[];
  /** Names of the order that nothing has. */
  readonly unordered: UnknownNames;
  /** Of a text: what its version has no longer, in the order of the output. */
  readonly outdated: readonly SymbolRow[];
}

export const isRemarkable = (remarks: PlainRemarks): boolean => {
  const { hasMisfits, hasMixedSizes, defined, doubtful, misdeclared, repeated, idle, doubled, kernels, unordered } =
    remarks;
  const { lacksRoots, hasNothing, missing } = remarks;
  const lists = [
    defined,
    remarks.dropped,
    doubtful,
    misdeclared,
    repeated,
    idle.rules,
    doubled,
    kernels,
    unordered.first,
    remarks.outdated,
  ];
  return (
    hasMisfits ||
    hasMixedSizes ||
    lacksRoots ||
    hasNothing ||
    missing.size > 0 ||
    lists.some(({ length }) => length > 0)
  );
};

/** What is known of a link. */
interface Remarked {
  readonly asWritten: Collected;
  readonly kept: Collected;
  readonly target: Target;
  /** Of a text. */
  readonly version: PtxVersion;
  /** Whether a module may go into the output. */
  readonly fits: Fits;
  readonly hasUnknownArch: boolean;
  /** Names that --defsym gives, and what it says. */
  readonly aliases: readonly PlainAlias[];
  readonly found: readonly Diagnostic[];
  /** Of --export and --localize. */
  readonly idle: IdleRules;
  readonly doubled: readonly MergedRow[];
}

export function findRemarks(
  { asWritten, kept, target, version, fits, hasUnknownArch, aliases, found, idle, doubled }: Remarked,
  options: RemarkOptions &
    DataOrder & {
      readonly roots?: RootOptions;
      readonly relocatable?: boolean;
      readonly asText?: boolean;
    },
): PlainRemarks {
  const { tables, resolution } = asWritten;
  // What an object lacks later links may have.
  const isImage = options.relocatable !== true;
  const doubtful = findDoubtful(tables, resolution, options.warnCommon === true);
  const repeated = options.detectOdrViolations === true ? findRepeated(tables, resolution) : [];
  return {
    hasMisfits:
      hasUnknownArch || [...tables.targets].some((each) => !fits(targetOf(textOf(tables.texts, each)), target)),
    fits,
    hasMixedSizes: addressSizesIn(tables).size > 1,
    dropped: options.asText === true ? aliases : [],
    defined: found,
    doubtful,
    misdeclared: findMisdeclared(tables, resolution),
    repeated,
    idle,
    doubled,
    lacksRoots: lacksRoots(asWritten, options.roots ?? {}),
    hasNothing: kept.tables.firstSymbol.at(-1) === 0 && hasDefinitions(asWritten),
    missing: isImage ? findUndefined(kept, options) : new Map(),
    kernels: isImage ? ambiguousKernels(kept) : [],
    unordered: unorderedNames(kept, options.symbolOrder?.names),
    outdated: options.asText === true ? outdatedIn(kept, version) : [],
  };
}

/** Variables of modules of before PTX 3.0 (lastVersion of object/print/old-platform.ts). */
function outdatedIn({ tables, resolution }: Collected, version: PtxVersion): readonly SymbolRow[] {
  const { chosen, count } = resolution;
  const isOutdated = (row: SymbolRow): boolean =>
    isVariable(tables, row) &&
    spaceOf(tables, row) >= SPACE.local &&
    (tables.flags[row]! & HAS_SCOPE) === 0 &&
    version > (isBank(tables, row) ? LAST_WITH_BANKS : LAST_WITH_LOCALS);
  if (!chosen.subarray(0, count).some(isOutdated)) return [];
  const ordered = inPlainOrder(tables, resolution, "in front");
  return [...ordered.chosen].filter(isOutdated);
}

const LAST_WITH_BANKS = 21;
const LAST_WITH_LOCALS = 23;

export const targetOf = (name: string): Target => parseTarget(name)!;

function lacksRoots({ tables, resolution }: Collected, options: RootOptions): boolean {
  if (!namesRoots(options)) return false;
  const { kernels, variables, required } = missingRoots(plainCandidates(tables, resolution), options);
  return kernels.length + variables.length + required.length > 0;
}

function hasDefinitions({ tables, resolution: { chosen, count } }: Collected): boolean {
  for (let row = 0; row < count; row++) if (claimOf(tables, chosen[row]!) !== CLAIM.declared) return true;
  return false;
}

/** All kernels in the order of names, where two have one name. */
function ambiguousKernels({ tables, resolution: { mergedOf, chosen, count } }: Collected): readonly MergedRow[] {
  const names = new Set<TextId>();
  const own = tables.kernels.filter((kernel) => chosen[mergedOf[kernel]!] === kernel);
  for (const kernel of own) names.add(tables.name[kernel]!);
  if (names.size === own.length) return [];
  const kernels: MergedRow[] = [];
  for (let row = 0; row < count; row++) if (isDefinedKernel(tables, chosen[row]!)) kernels.push(row);
  return kernels;
}

const isDefinedKernel = (tables: Tables, symbol: number): boolean =>
  isFunction(tables, symbol) && isEntry(tables, symbol) && tables.place[symbol]! >= 0;

/** Those that neither a function nor a variable outside shared memory has. */
function unorderedNames(
  { tables, resolution: { chosen, count } }: Collected,
  names: OrderedNames | undefined,
): UnknownNames {
  if (names === undefined) return NO_UNKNOWN_NAMES;
  const known = new Set<string>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    const role = tables.place[symbol]! < 0 ? -1 : tables.role[tables.place[symbol]!]!;
    if (isCommon(tables, symbol) || role === ROLE.text || isDataRole(role))
      known.add(textOf(tables.texts, tables.name[symbol]!));
  }
  return unknownNames(names, (name) => known.has(name));
}
