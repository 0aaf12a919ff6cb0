// The state of the reader of object files (object-reader.ts): the columns that it fills, the current file, and tables about it.
// All numbers of the file are checked before they are stored in the columns.

import { isHolderType } from "../../relocation-types.js";
import { unsupported } from "../cursor.js";
import type { Columns } from "../columns.js";
import type { StringId } from "../strings.js";
import type { ObjectElf } from "./elf-file.js";

export interface ReaderState {
  readonly columns: Columns;
  /** Index of the current file. */
  index: number;
  file: ObjectElf;
  /** ELF sections of its declarations and its call graph. */
  declared: number;
  graph: number;
  /** Word index of the extended section indices; 0 if no symbol needs them. */
  extended: number;
  /** Word index of the declarations. */
  start: number;

  // For each ELF section read so far:
  /** Its row, or -1. */
  rows: Int32Array;
  /** The ELF sections of its relocations without and with addends, or 0. */
  rel: Int32Array;
  rela: Int32Array;
  /** Attributes of its code, with the flag HAS_ATTRIBUTES if it has any. */
  attributes: Uint16Array;
  /** Number of sections with attributes. */
  attributeCount: number;

  /** The name of each ELF symbol; -1 for ELF symbols that cannot be symbols of the object. */
  names: Int32Array;
  /** The columns' numbers for the file's strings and types. */
  strings: Int32Array;
  types: Int32Array;
  /** For each type of the columns, the kinds for which it has been checked. */
  kinds: Uint8Array;
  readonly checked: Checked;
  readonly placed: Placed;
}

/** In a file with more variables, they are sorted together (sections.ts). */
export const MANY = 64;

/** The variables of a file that have bytes, ordered by section and offset. If there are more than MANY, the list is not kept. */
export interface Placed {
  count: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Results of checks against tables of words, each done once. */
export interface Checked {
  readonly options: Set<StringId>;
  readonly prototypes: Set<StringId>;
  /** The flags of the ELF header, by target. */
  readonly flags: Map<StringId, number>;
}

const NOTHING = new Int32Array(0);

export const createReaderState = (columns: Columns): ReaderState => ({
  columns,
  index: 0,
  file: { bytes: new Uint8Array(0), words: new Uint32Array(0), headers: 0, sectionCount: 0, symbolCount: 0 },
  declared: 0,
  graph: 0,
  extended: 0,
  start: 0,
  rows: NOTHING,
  rel: NOTHING,
  rela: NOTHING,
  attributes: new Uint16Array(0),
  attributeCount: 0,
  names: NOTHING,
  strings: NOTHING,
  types: NOTHING,
  kinds: new Uint8Array(1 << 8),
  placed: { count: 0, starts: new Float64Array(MANY), ends: new Float64Array(MANY) },
  checked: { options: new Set(), prototypes: new Set(), flags: new Map() },
});

/** A column with at least that many rows; its contents are undefined. */
export const atLeastRows = (column: Int32Array, rows: number): Int32Array =>
  column.length >= rows ? column : new Int32Array(2 * rows);

/** The word index of a byte offset. Bails out if it is not aligned. */
export const wordAt = (byte: number): number => (byte % 4 === 0 ? byte / 4 : unsupported("alignment"));

/** By relocation type, whether relocations of data have that type. */
export const DATA_TYPES = Uint8Array.from({ length: 256 }, (_, type) => (isHolderType(type) ? 1 : 0));
