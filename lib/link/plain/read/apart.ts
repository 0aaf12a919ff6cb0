// Variables of an object file that have bytes in common: no plain link takes them, object/file/file-layout.ts tells of them.

import { areApart } from "../../../object/file/file-layout.js";
import { notPlain } from "../tables/cursor.js";
import { sizeOfShape } from "../tables/shapes.js";
import { isVariable, SPACE, spaceOf } from "../tables/tables.js";
import type { Reading } from "./reading.js";

/** More than any offset in a section, so that one number says both. */
const SECTION = 2 ** 32;

/** Of file `index`, whose symbols have their places. */
export function checkApart(reading: Reading, index: number): void {
  const { tables } = reading;
  const { place, offset, shape, shapes } = tables;
  const [first, end] = [tables.firstSymbol[index]!, tables.firstSymbol[index + 1]!];
  if (reading.starts.length < end - first) {
    reading.starts = new Float64Array(2 * (end - first));
    reading.ends = new Float64Array(2 * (end - first));
  }
  const { starts, ends } = reading;
  let count = 0;
  for (let row = first; row < end; row++) {
    if (place[row]! < 0 || !isVariable(tables, row) || spaceOf(tables, row) === SPACE.shared) continue;
    const size = sizeOfShape(shapes, shape[row]!);
    if (size === 0) continue;
    starts[count] = (place[row]! - tables.firstSection[index]!) * SECTION + offset[row]!;
    ends[count] = starts[count]! + size;
    count++;
  }
  if (count > 1 && !areApart(starts.subarray(0, count), ends.subarray(0, count))) notPlain("variables that overlap");
}
