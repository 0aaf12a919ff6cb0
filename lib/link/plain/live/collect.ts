// Pass: --gc-sections and its reports: the roots (roots.ts), the symbols that they reach (live.ts), the reasons
// (../../live/why-live.ts), the removed symbols (explain-live.ts), and the columns without them (prune.ts). Does nothing without
// these options.

import { chooseRoots, type Roots } from "../../live/roots.js";
import type { CollectOptions } from "../../live/collect.js";
import { findPlainLive, type PlainLiveness } from "./live.js";
import { membersOf } from "../tables/members.js";
import { prunePlain } from "./prune.js";
import type { Collected } from "../names/resolve.js";
import { plainCandidates } from "./roots.js";

export interface PlainCollectOptions extends Pick<CollectOptions, "gcSections" | "roots"> {
  /** Told what roots reach, before anything is left out: for those who ask why. */
  readonly onLive?: (found: PlainLive) => void;
}

/** What roots reach of all the files. */
export interface PlainLive extends Collected {
  readonly roots: Roots;
  readonly liveness: PlainLiveness;
}

export function collectPlain(
  named: Collected,
  { gcSections = false, roots: options = {}, onLive }: PlainCollectOptions,
): Collected {
  if (!gcSections && onLive === undefined) return named;
  const { tables, resolution } = named;
  const roots = chooseRoots(plainCandidates(tables, resolution), options);
  const members = membersOf(tables);
  const liveness = findPlainLive(tables, resolution, roots.keys(), members);
  onLive?.({ tables, resolution, roots, liveness });
  if (!gcSections) return named;
  return prunePlain(tables, resolution, liveness, members);
}
