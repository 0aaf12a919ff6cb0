// Names that inputs define and refer to, collected for select-archive.ts. Inputs held as files or packed are read as columns
// (link/resolve/shared-names.ts), others from their objects.

import { type RelocObject, isLocal } from "../../object/object.js";
import { createReadingMemory, type ReadingMemory } from "../../ptx/outline.js";
import { isFromDriver } from "../model/contributions.js";
import type { DefinedName } from "./member-names.js";
import type { ObjectInput } from "../inputs/input.js";
import {
  addText,
  createNameReader,
  createNameRows,
  FROM_DRIVER,
  UNPLACED,
  type NameRange,
  type NameReader,
  type NameRows,
} from "../resolve/shared-names.js";
import { RANK, rankOf } from "../model/binding-rank.js";

export interface NameBook {
  readonly rows: NameRows;
  /** Adds the names of a file. */
  readonly read: NameReader;
  /** Memory in which texts are parsed, one after the other. */
  readonly memory: ReadingMemory;
}

export function createNameBook(): NameBook {
  const rows = createNameRows();
  return { rows, read: createNameReader(rows), memory: createReadingMemory() };
}

export const noNames: NameRange = { start: 0, end: 0, hasKernels: false };

/** Adds all names of an input. */
export function addInput({ rows, read }: NameBook, input: ObjectInput): NameRange {
  return input.linkInput === undefined ? addObject(rows, input.object) : read(input.linkInput);
}

function addObject(rows: NameRows, { symbols, kernels }: RelocObject): NameRange {
  const start = rows.count;
  for (const symbol of symbols) {
    if (isLocal(symbol)) continue;
    const { name, kind, linkage, placement } = symbol;
    // References have no address; `.extern` distinguishes uses from the definition.
    const claim = kind === "reference" && linkage !== "extern" ? "strong" : rankOf(symbol);
    const isVariableAlias = symbol.kind === "variable" && symbol.aliasOf !== undefined;
    const unplaced = placement.kind === "undefined" && !isVariableAlias ? UNPLACED : 0;
    addText(rows, name, RANK[claim] | unplaced | (isFromDriver(symbol) ? FROM_DRIVER : 0));
  }
  return { start, end: rows.count, hasKernels: kernels.length > 0 };
}

/** Adds definitions. */
export function addDefined(rows: NameRows, names: Iterable<DefinedName>): NameRange {
  const start = rows.count;
  for (const { name, claim } of names) if (claim !== "static") addText(rows, name, RANK[claim]);
  return { start, end: rows.count, hasKernels: false };
}
