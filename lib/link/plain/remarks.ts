// What is to be said of a plain link (link.ts), found in its columns, without words: tell.ts has those. Of most links there is
// nothing.

import { parseTarget, type Target } from "../../isa/requirement.js";
import type { CompatibilityOptions } from "../compatible.js";
import type { Suggestion } from "../suggest.js";
import { missingRoots, namesRoots, type RootOptions } from "../roots.js";
import { linksInto } from "../targets.js";
import type { UndefinedOptions } from "../unresolved.js";
import type { Collected } from "./collect.js";
import { notPlain } from "./cursor.js";
import { findDoubtful, findRepeated } from "./doubt.js";
import type { MergedRow } from "./resolve.js";
import { plainCandidates } from "./roots.js";
import { isEntry, isFunction, type Tables } from "./tables.js";
import { textOf, type TextId } from "./texts.js";
import { findUndefined, type PlainReference } from "./undefined.js";

export interface RemarkOptions extends CompatibilityOptions, UndefinedOptions {
  /** Whether .weak definitions of one name are held against each other. */
  readonly detectOdrViolations?: boolean;
  /** What is known of a name from members of archives that were not taken, where it stays undefined. */
  readonly suggestElsewhere?: (name: string) => Suggestion | undefined;
}

export interface PlainRemarks {
  /** Whether some module is for a target that cannot be linked for the image's. */
  readonly hasMisfits: boolean;
  /** Before anything is dropped: names that modules may disagree on, and those with `.weak` definitions to be compared. */
  readonly doubtful: readonly MergedRow[];
  readonly repeated: readonly MergedRow[];
  /** Whether options name roots that are not there. */
  readonly lacksRoots: boolean;
  /** Of what is kept: what nothing defines, and the kernels, where two have one name. */
  readonly missing: ReadonlyMap<MergedRow, readonly PlainReference[]>;
  readonly kernels: readonly MergedRow[];
}

export const isRemarkable = ({ hasMisfits, doubtful, repeated, lacksRoots, missing, kernels }: PlainRemarks): boolean =>
  hasMisfits || lacksRoots || doubtful.length + repeated.length + missing.size + kernels.length > 0;

export function findRemarks(
  { asWritten, kept, target }: { readonly asWritten: Collected; readonly kept: Collected; readonly target: Target },
  options: RemarkOptions & { readonly roots?: RootOptions; readonly relocatable?: boolean },
): PlainRemarks {
  const { tables, resolution } = asWritten;
  // What an object lacks later links may have.
  const isImage = options.relocatable !== true;
  return {
    hasMisfits: [...tables.targets].some((each) => !linksInto(targetOf(textOf(tables.texts, each)), target)),
    doubtful: findDoubtful(tables, resolution, options.warnCommon === true),
    repeated: options.detectOdrViolations === true ? findRepeated(tables, resolution) : [],
    lacksRoots: lacksRoots(asWritten, options.roots ?? {}),
    missing: isImage ? findUndefined(kept, options) : new Map(),
    kernels: isImage ? ambiguousKernels(kept) : [],
  };
}

export const targetOf = (name: string): Target => parseTarget(name) ?? notPlain("an unknown target");

function lacksRoots({ tables, resolution }: Collected, options: RootOptions): boolean {
  if (!namesRoots(options)) return false;
  const { kernels, variables, required } = missingRoots(plainCandidates(tables, resolution), options);
  return kernels.length + variables.length + required.length > 0;
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
