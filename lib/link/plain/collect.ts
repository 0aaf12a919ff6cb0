// --gc-sections of a plain link (link.ts): collect.ts over columns. Where something is to be said of roots, or nothing is left,
// the link is not plain.

import { chooseRoots, missingRoots, type Roots } from "../roots.js";
import type { CollectOptions } from "../collect.js";
import { notPlain } from "./cursor.js";
import { findPlainLive, type PlainLiveness } from "./live.js";
import { membersOf } from "./members.js";
import { prunePlain } from "./prune.js";
import { resolvePlain, type PlainResolution } from "./resolve.js";
import { plainCandidates } from "./roots.js";
import type { Tables } from "./tables.js";

export interface PlainCollectOptions extends Pick<CollectOptions, "gcSections" | "roots"> {
  /** Told what roots reach, before anything is left out: for those who ask why. */
  readonly onLive?: (found: PlainLive) => void;
}

/** What roots reach of all the files. */
export interface PlainLive extends Collected {
  readonly roots: Roots;
  readonly liveness: PlainLiveness;
}

/** What is left of the files, and what their names mean. */
export interface Collected {
  readonly tables: Tables;
  readonly resolution: PlainResolution;
}

export function collectPlain(
  tables: Tables,
  resolution: PlainResolution,
  { gcSections = false, roots: options = {}, onLive }: PlainCollectOptions,
): Collected {
  const isAsked = [options.kernelsUsed, options.variablesUsed, options.required].some((each) => each !== undefined);
  if (!gcSections && !isAsked && onLive === undefined) return { tables, resolution };
  const candidates = plainCandidates(tables, resolution);
  const { kernels, variables, required } = missingRoots(candidates, options);
  if (kernels.length + variables.length + required.length > 0) notPlain("roots that are not there");
  if (!gcSections && onLive === undefined) return { tables, resolution };
  const roots = chooseRoots(candidates, options);
  const members = membersOf(tables);
  const liveness = findPlainLive(tables, resolution, roots.keys(), members);
  onLive?.({ tables, resolution, roots, liveness });
  if (!gcSections) return { tables, resolution };
  const left = prunePlain(tables, resolution, liveness, (row) => roots.has(row), members);
  if (left.firstSymbol.at(-1) === 0) notPlain("nothing is live");
  return { tables: left, resolution: resolvePlain(left) };
}
