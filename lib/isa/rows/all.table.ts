// All rows of the instruction table, indexed by base opcode. Only this file depends on the distribution of rows over files.

import type { Row } from "../form.js";
import { asyncRows } from "./async.table.js";
import { compareRows } from "./compare.table.js";
import { controlRows } from "./control.table.js";
import { convertRows } from "./convert.table.js";
import { fabricRows, sparseRows } from "./fabric.table.js";
import { extendedRows } from "./extended.table.js";
import { floatRows } from "./float.table.js";
import { halfRows } from "./half.table.js";
import { integerRows } from "./integer.table.js";
import { logicRows } from "./logic.table.js";
import { matrixRows } from "./matrix.table.js";
import { movementRows } from "./movement.table.js";
import { syncRows } from "./sync.table.js";
import { tcgen05Rows } from "./tcgen05.table.js";
import { textureRows } from "./texture.table.js";
import { videoRows } from "./video.table.js";
import { wgmmaRows } from "./wgmma.table.js";

export const allRows: readonly Row[] = [
  ...integerRows,
  ...extendedRows,
  ...floatRows,
  ...halfRows,
  ...compareRows,
  ...logicRows,
  ...movementRows,
  ...convertRows,
  ...asyncRows,
  ...textureRows,
  ...controlRows,
  ...syncRows,
  ...matrixRows,
  ...wgmmaRows,
  ...tcgen05Rows,
  ...videoRows,
  ...fabricRows,
  ...sparseRows,
];

const baseOf = (row: Row): string => /^[^.{\s]+/.exec(row.syntax)![0];

// Built on first use: the table is large, and some commands do not need it.
let byOpcode: Map<string, Row[]> | undefined;
let byId: Map<string, Row> | undefined;

/** The rows of a base opcode. */
export function rowsByOpcode(opcode: string): readonly Row[] {
  if (byOpcode === undefined) {
    byOpcode = new Map();
    for (const row of allRows) {
      const rows = byOpcode.get(baseOf(row));
      if (rows === undefined) byOpcode.set(baseOf(row), [row]);
      else rows.push(row);
    }
  }
  return byOpcode.get(opcode) ?? [];
}

export function rowById(id: string): Row | undefined {
  byId ??= new Map(allRows.map((row) => [row.id, row]));
  return byId.get(id);
}

/** All base opcodes, for "did you mean" and for the documentation. */
export function opcodeNames(): readonly string[] {
  return [...new Set(allRows.map(baseOf))];
}
