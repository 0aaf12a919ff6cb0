// The modules of a link as columns have them (tables.ts): what an object is compiled for may be another target than its module's.

import type { PtxVersion } from "../../../isa/requirement.js";
import type { AddressSize } from "../../../check/address-size.js";
import { ANY_ADDRESS_SIZE, targetWordsOf } from "../../../object/target-words.js";
import type { Tables } from "./tables.js";
import { textOf, type TextId } from "./texts.js";

/** The words of a module: name, version, target, options, line of .target, files. */
export function moduleWords(words: ArrayLike<number>, at: number): number {
  const options = words[at + 3]!;
  return 6 + options + 2 * words[at + 5 + options]!;
}

/** The targets that the modules of a file are linked for: embedded PTX may be compiled for a later one than its own. */
export function targetsIn(
  { firstModule, moduleStart, modules, otherTargets }: Tables,
  file: number,
): readonly TextId[] {
  const other = otherTargets.get(file);
  if (other !== undefined) return [other.target];
  const starts = moduleStart.slice(firstModule[file], firstModule[file + 1]);
  return starts.map((start) => -modules[start + 2]! - 1);
}

/** The latest version of the modules; an object without any has one of its own. */
export function latestVersion({ firstModule, moduleVersion, otherTargets }: Tables): PtxVersion {
  let latest = moduleVersion.reduce((most, each) => Math.max(most, each), 0);
  for (const [file, { version }] of otherTargets)
    if (firstModule[file] === firstModule[file + 1]) latest = Math.max(latest, version);
  return latest;
}

/** The tables with modules whose targets are those that they are linked for. */
export function compiledModules(tables: Tables): Tables {
  if (tables.otherTargets.size === 0) return tables;
  const modules = tables.modules.slice();
  for (const [file, { target }] of tables.otherTargets) {
    const first = tables.firstModule[file]!;
    if (first < tables.firstModule[file + 1]!) modules[tables.moduleStart[first]! + 2] = -target - 1;
  }
  return { ...tables, modules };
}

const SIZE_32 = targetWordsOf({ targetOptions: [], addressSize: 32 })[0]!;

/** Which sizes modules ask addresses to have. */
export function addressSizesIn({ texts, modules, moduleStart }: Tables): ReadonlySet<AddressSize> {
  const sizes = new Set<AddressSize>();
  for (const start of moduleStart) {
    const options = modules[start + 3]!;
    const last = options === 0 ? "" : textOf(texts, -modules[start + 3 + options]! - 1);
    if (last !== ANY_ADDRESS_SIZE) sizes.add(last === SIZE_32 ? 32 : 64);
  }
  return sizes;
}

/** Bits of an address of all modules. */
export const addressSizeIn = (tables: Tables): AddressSize => (addressSizesIn(tables).has(32) ? 32 : 64);
