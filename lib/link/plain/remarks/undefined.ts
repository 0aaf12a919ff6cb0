// Names that nothing defines, and who refers to them; ../../undefined/undefined.ts reports them.

import type { Referring } from "../../reference-place.js";
import { mayBeOpen, type UndefinedOptions } from "../../undefined/unresolved.js";
import { keptTexts } from "../layout/layout.js";
import { placeIn } from "../tables/pieces.js";
import { ROLE } from "../tables/codes.js";
import { forEachTarget } from "../tables/references.js";
import { isFromDriver, type MergedRow, type Collected } from "../names/resolve.js";
import { isCommon, isFunction, isReference } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";

/** By merged symbol; functions only where something refers to them. */
export function findUndefined(
  { tables, resolution }: Collected,
  options: UndefinedOptions,
): ReadonlyMap<MergedRow, readonly Referring[]> {
  const { chosen, count, mergedOf } = resolution;
  const { place } = tables;
  const missing = new Map<MergedRow, Referring[]>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (place[symbol]! >= 0 || isCommon(tables, symbol)) continue;
    if (isReference(tables, symbol) || isFromDriver(tables, symbol)) continue;
    const name = textOf(tables.texts, tables.name[symbol]!);
    if (!mayBeOpen(name, isFunction(tables, symbol), options)) missing.set(row, []);
  }
  if (missing.size === 0) return missing;
  const isText = new Uint8Array(tables.firstSection.at(-1)!);
  for (const section of keptTexts(tables, resolution)) isText[section] = 1;
  for (let file = 0; file < tables.files.length; file++) {
    const first = tables.firstSection[file]!;
    for (let section = first; section < tables.firstSection[file + 1]!; section++) {
      if (tables.role[section] === ROLE.text && isText[section] === 0) continue;
      const pieces = tables.moved.get(section);
      forEachTarget(tables, file, section, (before, target) => {
        const references = missing.get(mergedOf[target]!);
        const offset = references === undefined ? -1 : placeIn(pieces, before);
        if (offset >= 0) references!.push({ object: file, section: section - first, relocation: { offset } });
      });
    }
  }
  for (const [row, references] of missing)
    if (references.length === 0 && isFunction(tables, chosen[row]!)) missing.delete(row);
  return missing;
}
