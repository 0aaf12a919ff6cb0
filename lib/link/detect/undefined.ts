// Undefined names, and the references to them; ../messages/undefined.ts reports them.

import type { Referring } from "../model/reference-place.js";
import { mayBeOpen, type UndefinedOptions } from "../messages/unresolved.js";
import { keptTextSections } from "../layout/layout.js";
import { offsetIn } from "../../object/columns/kept-ranges.js";
import { ROLE } from "../../object/columns/codes.js";
import { forEachRelocation } from "../../object/columns/relocations.js";
import { isFromDriver, type MergedRow, type ResolvedColumns } from "../resolve/resolve.js";
import { isCommon, isFunction, isReference } from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";

/** References by undefined merged symbol. Includes functions only if something refers to them. */
export function findUndefined(
  { columns, resolution }: ResolvedColumns,
  options: UndefinedOptions,
): ReadonlyMap<MergedRow, readonly Referring[]> {
  const { chosen, count, mergedOf } = resolution;
  const { sectionOf } = columns;
  const missing = new Map<MergedRow, Referring[]>();
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    if (sectionOf[symbol]! >= 0 || isCommon(columns, symbol)) continue;
    if (isReference(columns, symbol) || isFromDriver(columns, symbol)) continue;
    const name = stringOf(columns.strings, columns.name[symbol]!);
    if (!mayBeOpen(name, isFunction(columns, symbol), options)) missing.set(row, []);
  }
  if (missing.size === 0) return missing;
  const isText = new Uint8Array(columns.firstSection.at(-1)!);
  for (const section of keptTextSections(columns, resolution)) isText[section] = 1;
  for (let file = 0; file < columns.files.length; file++) {
    const first = columns.firstSection[file]!;
    for (let section = first; section < columns.firstSection[file + 1]!; section++) {
      if (columns.role[section] === ROLE.text && isText[section] === 0) continue;
      const ranges = columns.keptRanges.get(section);
      forEachRelocation(columns, file, section, (before, target) => {
        const references = missing.get(mergedOf[target]!);
        const offset = references === undefined ? -1 : offsetIn(ranges, before);
        if (offset >= 0) references!.push({ object: file, section: section - first, relocation: { offset } });
      });
    }
  }
  for (const [row, references] of missing)
    if (references.length === 0 && isFunction(columns, chosen[row]!)) missing.delete(row);
  return missing;
}
