// The variables that --gc-sections leaves of a section, placed anew (../../live/place-left.ts).

import { placeLeft } from "../../live/place-left.js";
import { byPlace } from "../tables/members.js";
import { alignOfShape, sizeOfShape } from "../tables/shapes.js";
import { LINKAGE, linkageOf, type SectionRow, type Tables } from "../tables/tables.js";
import type { Pieces } from "../tables/pieces.js";

/** Changes size and alignment of a section and the offsets of its variables `left`, in the order of symbols, in these tables. */
export function placeAnew(tables: Tables, section: SectionRow, left: Int32Array, isJoined: boolean): Pieces {
  const { module, line, offset, shape, shapes } = tables;
  const before = byPlace(tables, left);
  const from = offset;
  const variables = Array.from(left, (row) => ({
    row,
    module: module[row]!,
    isLocal: linkageOf(tables, row) === LINKAGE.static,
    line: line[row]!,
    align: alignOfShape(shapes, shape[row]!),
    size: sizeOfShape(shapes, shape[row]!),
    from: from[row]!,
  }));
  const { moved, size, align } = placeLeft(variables, isJoined);
  const starts = Array.from(before, (row) => from[row]!);
  for (const { row, to } of moved) offset[row] = to;
  tables.size[section] = size;
  tables.align[section] = align;
  return Array.from(before).flatMap((row, i) => {
    const own = sizeOfShape(shapes, shape[row]!);
    return own === 0 ? [] : [starts[i]!, starts[i]! + own, offset[row]!];
  });
}
