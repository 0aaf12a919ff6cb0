// What maps of -r and --emit ptx read (../../output/joined.ts): the joined object (../join/join.ts) once more, since its numbers are few,
// with symbols and sections made on demand.

import { seriesOf } from "../../../base/series.js";
import type { Joined } from "../../output/joined.js";
import { joinedSymbols } from "../join/emit.js";
import { joinPlain, type PlainJoin } from "../join/join.js";
import { findUsed, piecesLeft } from "../layout/layout.js";
import { placeIn } from "../tables/pieces.js";
import { filesOfSections, forEachTarget } from "../tables/references.js";
import type { PlainGoal } from "../image/plan.js";
import { plainRoles } from "../tables/codes.js";
import type { Collected, PlainResolution } from "../names/resolve.js";
import { stripJoin } from "../join/strip.js";
import { viewModules, viewNamed } from "./view.js";
import { sectionRole } from "../tables/viewed.js";

export interface JoinedOptions {
  readonly output: Joined["output"];
  /** What the output is called. */
  readonly name: string;
  /** -r, of a text: common symbols remain so. */
  readonly relocatable: boolean;
  /** --strip-debug */
  readonly stripDebug: boolean;
}

/** `names`: of the files. */
export function viewJoined(
  { tables, resolution: given }: Collected,
  { target, version }: PlainGoal,
  names: readonly string[],
  { output, name, relocatable, stripDebug }: JoinedOptions,
): Joined {
  // Of definitions that were replaced a text has nothing.
  const resolution = output === "ptx" ? { ...given, replaced: new Map() } : given;
  const whole = output === "ptx" ? joinPlain(tables, resolution, () => new Map()) : joinPlain(tables, resolution);
  const join = stripDebug ? stripJoin(whole) : whole;
  const isOpen = output === "object" || relocatable;
  return {
    ...viewNamed({ tables, resolution }, names),
    output,
    object: {
      name,
      target,
      version,
      modules: viewModules(tables),
      symbols: seriesOf(join.symbols.length, joinedSymbols(join, isOpen)),
      sections: seriesOf(join.sections.length, (i) => {
        const { row, owner, size, align } = join.sections[i]!;
        return { role: sectionRole(plainRoles[tables.role[row]!]!, owner), size, align };
      }),
    },
    referred: () => findReferred(join, resolution),
    inUse() {
      const used = findUsed(tables, resolution);
      return (object, section) => used[tables.firstSection[object]! + section] === 1;
    },
  };
}

function findReferred({ tables, sections, symbols, numberOf }: PlainJoin, resolution: PlainResolution) {
  const pieces = piecesLeft(tables, resolution);
  const fileOf = filesOfSections(tables);
  const isReferred = new Uint8Array(symbols.length);
  for (const { row } of sections)
    forEachTarget(tables, fileOf[row]!, row, (offset, target) => {
      if (placeIn(pieces.get(row), offset) >= 0) isReferred[numberOf(target)] = 1;
    });
  return (symbol: number): boolean => isReferred[symbol] === 1;
}
