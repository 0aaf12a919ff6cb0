// The rows of every chapter, found by base opcode. Only this file knows which file a chapter's rows are in.

import type { Row } from "../form.js";
import { integerRows } from "./integer.table.js";
import { proofRows } from "./proof.table.js";

export const allRows: readonly Row[] = [...integerRows, ...proofRows];

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
