// Views for maps of -r and --emit ptx (../model/relocatable.ts). The joined object (../relocatable/partial-link.ts) is made
// again, since it consists of few numbers; its symbols and sections are made on demand.

import { seriesOf } from "../../base/series.js";
import type { PartialLink } from "../model/relocatable.js";
import { partialLinkSymbols } from "../relocatable/emit-ptx.js";
import type { OutputObject } from "../../object/columns/write/output-object.js";
import { linkPartially } from "../relocatable/partial-link.js";
import { findUsed, keptRanges } from "../layout/layout.js";
import { offsetIn } from "../../object/columns/kept-ranges.js";
import { filesOfSections, forEachRelocation } from "../../object/columns/relocations.js";
import type { LinkTarget } from "../image/section-plan.js";
import { roleNames } from "../../object/columns/codes.js";
import type { ResolvedColumns, Resolution } from "../resolve/resolve.js";
import { stripObject } from "../relocatable/strip.js";
import { viewModules, viewNamed } from "./views.js";
import { sectionRole } from "../../object/columns/views.js";

export interface PartialLinkOptions {
  readonly output: PartialLink["output"];
  /** The output's name. */
  readonly name: string;
  /** Whether common symbols stay so in a text (-r). */
  readonly relocatable: boolean;
  /** Whether debug information is omitted (--strip-debug). */
  readonly stripDebug: boolean;
}

/** `names`: names of the files. */
export function viewPartialLink(
  { columns, resolution: given }: ResolvedColumns,
  { target, version }: LinkTarget,
  names: readonly string[],
  { output, name, relocatable, stripDebug }: PartialLinkOptions,
): PartialLink {
  // A text has no replaced definitions.
  const resolution = output === "ptx" ? { ...given, replaced: new Map() } : given;
  const whole =
    output === "ptx" ? linkPartially(columns, resolution, () => new Map()) : linkPartially(columns, resolution);
  const join = stripDebug ? stripObject(whole) : whole;
  const keepsCommons = output === "object" || relocatable;
  return {
    ...viewNamed({ columns, resolution }, names),
    output,
    object: {
      name,
      target,
      version,
      modules: viewModules(columns),
      symbols: seriesOf(join.symbols.length, partialLinkSymbols(join, keepsCommons)),
      sections: seriesOf(join.sections.length, (i) => {
        const { row, owner, size, align } = join.sections[i]!;
        return { role: sectionRole(roleNames[columns.role[row]!]!, owner), size, align };
      }),
    },
    referred: () => findReferred(join, resolution),
    inUse() {
      const used = findUsed(columns, resolution);
      return (object, section) => used[columns.firstSection[object]! + section] === 1;
    },
  };
}

function findReferred({ columns, sections, symbols, numberOf }: OutputObject, resolution: Resolution) {
  const ranges = keptRanges(columns, resolution);
  const fileOf = filesOfSections(columns);
  const isReferred = new Uint8Array(symbols.length);
  for (const { row } of sections)
    forEachRelocation(columns, fileOf[row]!, row, (offset, target) => {
      if (offsetIn(ranges.get(row), offset) >= 0) isReferred[numberOf(target)] = 1;
    });
  return (symbol: number): boolean => isReferred[symbol] === 1;
}
