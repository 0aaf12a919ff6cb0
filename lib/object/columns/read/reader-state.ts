// What the reader of object files (object-reader.ts) works with: the columns that it fills, the file that is read, and what it knows of
// that. All numbers of the file are held against what they count or name before they come into the columns.

import { isHolderType } from "../../relocation-types.js";
import { unsupported } from "../cursor.js";
import type { Columns } from "../columns.js";
import type { StringId } from "../strings.js";
import type { ObjectElf } from "./elf-file.js";

export interface ReaderState {
  readonly columns: Columns;
  /** The number of the file that is read. */
  index: number;
  file: ObjectElf;
  /** ELF sections: its declarations, its call graph. */
  declared: number;
  graph: number;
  /** Word at which the sections of symbols are that their records have no room for; 0 where none needs that. */
  extended: number;
  /** Word at which the declarations begin. */
  start: number;

  // For each ELF section, as far as it has been read:
  /** Its row; -1. */
  rows: Int32Array;
  /** The ELF sections of its relocations without and with addends; 0. */
  rel: Int32Array;
  rela: Int32Array;
  /** What attributes say of it, with IS_TOLD where they do. */
  attributes: Uint16Array;
  /** How many sections have attributes. */
  attributeCount: number;

  /** The name of each ELF symbol; -1 for those that cannot be symbols of the object. */
  names: Int32Array;
  /** Strings and types of the file in the columns. */
  strings: Int32Array;
  types: Int32Array;
  /** Of each type of the columns, what it was found to be. */
  kinds: Uint8Array;
  readonly checked: Checked;
  readonly placed: Placed;
}

/** Variables of a file with more are sorted together (sections.ts). */
export const MANY = 64;

/** The variables of a file that have bytes, in the order of their offsets, behind those of the sections before; more than MANY: none. */
export interface Placed {
  count: number;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** What is held against tables of words, each once. */
export interface Checked {
  readonly options: Set<StringId>;
  readonly prototypes: Set<StringId>;
  /** By target, the flags of the ELF header. */
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

/** A column of so many rows at least, whose contents do not matter. */
export const atLeastRows = (column: Int32Array, rows: number): Int32Array =>
  column.length >= rows ? column : new Int32Array(2 * rows);

/** Of bytes of a file that are read by words. */
export const wordAt = (byte: number): number => (byte % 4 === 0 ? byte / 4 : unsupported("alignment"));

/** By type, whether relocations of data are of it. */
export const DATA_TYPES = Uint8Array.from({ length: 256 }, (_, type) => (isHolderType(type) ? 1 : 0));
