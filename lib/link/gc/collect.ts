// Pass: --gc-sections and its reports: the roots (root-candidates.ts), the symbols that they reach (mark-live.ts), the reasons
// (./why-live.ts), the removed symbols (explain-live.ts), and the columns without them (prune.ts). Does nothing without
// these options.

import { chooseRoots, type Roots } from "./roots.js";
import type { CollectOptions } from "./collect-options.js";
import { markLive, type Liveness } from "./mark-live.js";
import { membersOf } from "../../object/columns/section-variables.js";
import { pruneDead } from "./prune.js";
import type { ResolvedColumns } from "../resolve/resolve.js";
import { rootCandidates } from "./root-candidates.js";

export interface GcOptions extends Pick<CollectOptions, "gcSections" | "roots"> {
  /** Called with the symbols that roots reach, before any is discarded: for --why-live. */
  readonly onLive?: (found: LiveSymbols) => void;
}

/** The symbols that roots reach, in all files. */
export interface LiveSymbols extends ResolvedColumns {
  readonly roots: Roots;
  readonly liveness: Liveness;
}

export function collectGarbage(
  named: ResolvedColumns,
  { gcSections = false, roots: options = {}, onLive }: GcOptions,
): ResolvedColumns {
  if (!gcSections && onLive === undefined) return named;
  const { columns, resolution } = named;
  const roots = chooseRoots(rootCandidates(columns, resolution), options);
  const members = membersOf(columns);
  const liveness = markLive(columns, resolution, roots.keys(), members);
  onLive?.({ columns, resolution, roots, liveness });
  if (!gcSections) return named;
  return pruneDead(columns, resolution, liveness, members);
}
