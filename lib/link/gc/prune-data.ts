// Places the variables of a section that --gc-sections keeps again (./place-remaining.ts).

import { placeVariables } from "./place-remaining.js";
import { byPlace } from "../../object/columns/section-variables.js";
import { alignOfType, sizeOfType } from "../../object/columns/types.js";
import { LINKAGE, linkageOf, type SectionRow, type Columns } from "../../object/columns/columns.js";
import type { KeptRanges } from "../../object/columns/kept-ranges.js";

/**
 * Updates, in these columns, size and alignment of a section and the offsets of its variables `left`, which are in the order of
 * symbols.
 */
export function placeRemaining(columns: Columns, section: SectionRow, left: Int32Array, isJoined: boolean): KeptRanges {
  const { module, line, offset, typeId, types } = columns;
  const before = byPlace(columns, left);
  const from = offset;
  const variables = Array.from(left, (row) => ({
    row,
    module: module[row]!,
    isLocal: linkageOf(columns, row) === LINKAGE.static,
    line: line[row]!,
    align: alignOfType(types, typeId[row]!),
    size: sizeOfType(types, typeId[row]!),
    from: from[row]!,
  }));
  const { moved, size, align } = placeVariables(variables, isJoined);
  const starts = Array.from(before, (row) => from[row]!);
  for (const { row, to } of moved) offset[row] = to;
  columns.size[section] = size;
  columns.align[section] = align;
  return Array.from(before).flatMap((row, i) => {
    const own = sizeOfType(types, typeId[row]!);
    return own === 0 ? [] : [starts[i]!, starts[i]! + own, offset[row]!];
  });
}
