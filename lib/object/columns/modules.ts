// The modules of a link, as columns store them (columns.ts). The target for which an object is compiled may differ from its
// module's.

import type { AddressSize } from "../../check/address-size.js";
import type { PtxVersion } from "../../isa/targets.table.js";
import { ANY_ADDRESS_SIZE, targetWordsOf } from "../target-words.js";
import type { Columns } from "./columns.js";
import { stringOf, type StringId } from "./strings.js";

/** Number of words of a module: name, version, target, options, line of .target, files. */
export function moduleWords(words: ArrayLike<number>, at: number): number {
  const options = words[at + 3]!;
  return 6 + options + 2 * words[at + 5 + options]!;
}

/** The targets for which the modules of a file are linked: embedded PTX may be compiled for a later one than its own. */
export function targetsIn(
  { firstModule, moduleStart, modules, otherTargets }: Columns,
  file: number,
): readonly StringId[] {
  const other = otherTargets.get(file);
  if (other !== undefined) return [other.target];
  const starts = moduleStart.slice(firstModule[file], firstModule[file + 1]);
  return starts.map((start) => -modules[start + 2]! - 1);
}

/** The latest version of the modules; an object without modules has a version of its own. */
export function latestVersion({ firstModule, moduleVersion, otherTargets }: Columns): PtxVersion {
  let latest = moduleVersion.reduce((most, each) => Math.max(most, each), 0);
  for (const [file, { version }] of otherTargets)
    if (firstModule[file] === firstModule[file + 1]) latest = Math.max(latest, version);
  return latest;
}

/** The columns in which modules have the targets for which they are linked. */
export function compiledModules(columns: Columns): Columns {
  if (columns.otherTargets.size === 0) return columns;
  const modules = columns.modules.slice();
  for (const [file, { target }] of columns.otherTargets) {
    const first = columns.firstModule[file]!;
    if (first < columns.firstModule[file + 1]!) modules[columns.moduleStart[first]! + 2] = -target - 1;
  }
  return { ...columns, modules };
}

const SIZE_32 = targetWordsOf({ targetOptions: [], addressSize: 32 })[0]!;

/** The address sizes of the modules. */
export function addressSizesIn({ strings, modules, moduleStart }: Columns): ReadonlySet<AddressSize> {
  const sizes = new Set<AddressSize>();
  for (const start of moduleStart) {
    const options = modules[start + 3]!;
    const last = options === 0 ? "" : stringOf(strings, -modules[start + 3 + options]! - 1);
    if (last !== ANY_ADDRESS_SIZE) sizes.add(last === SIZE_32 ? 32 : 64);
  }
  return sizes;
}

/** Bits per address, which all modules share. */
export const addressSizeIn = (columns: Columns): AddressSize => (addressSizesIn(columns).has(32) ? 32 : 64);
