// The rows of every chapter, found by base opcode. Only this file knows which file a chapter's rows are in.

import type { Row } from "../form.js";
import { compareRows } from "./compare.table.js";
import { controlRows } from "./control.table.js";
import { convertRows } from "./convert.table.js";
import { extendedRows } from "./extended.table.js";
import { floatRows } from "./float.table.js";
import { halfRows } from "./half.table.js";
import { integerRows } from "./integer.table.js";
import { logicRows } from "./logic.table.js";
import { movementRows } from "./movement.table.js";
import { syncRows } from "./sync.table.js";

export const allRows: readonly Row[] = [
  ...integerRows,
  ...extendedRows,
  ...floatRows,
  ...halfRows,
  ...compareRows,
  ...logicRows,
  ...movementRows,
  ...convertRows,
  ...controlRows,
  ...syncRows,
];

let index: Map<string, Row[]> | undefined;

/** The rows whose syntax begins with that opcode. */
export function rowsByOpcode(opcode: string): readonly Row[] {
  if (index === undefined) {
    index = new Map();
    for (const row of allRows) {
      const base = /^[^.{\s]+/.exec(row.syntax)![0];
      const rows = index.get(base);
      if (rows === undefined) index.set(base, [row]);
      else rows.push(row);
    }
  }
  return index.get(opcode) ?? [];
}

/** Every base opcode there is, for "did you mean" and for the documentation. */
export function opcodeNames(): readonly string[] {
  return [...new Set(allRows.map((row) => /^[^.{\s]+/.exec(row.syntax)![0]))];
}
