// What is needed while the objects of a plain link are read, one after another (read.ts).

import { createCursor, type Cursor } from "../tables/cursor.js";
import type { ElfFrame } from "./frame.js";
import type { ShapeId } from "../tables/shapes.js";
import type { Tables } from "../tables/tables.js";
import { createBatch, type Batch, type TextId } from "../tables/texts.js";

/** What is needed while one file is read; made once. */
export interface Reading {
  readonly tables: Tables;
  readonly cursor: Cursor;
  /** The one that is read. */
  file: ElfFrame;
  /** The file's texts. */
  pool: Int32Array;
  /** Of each ELF section: its row, -1; and its tables of relocations, 0. */
  sectionRow: Int32Array;
  rel: Int32Array;
  rela: Int32Array;
  /** Of each ELF section: what attributes say of its code, and whether they do. */
  facts: Uint16Array;
  /** How many sections have attributes. */
  told: number;
  /** Names of the file's symbols. */
  batch: Batch;
  /** Of each ELF symbol: its name, -1 for those that can be none of the object. */
  names: Int32Array & { [elf: number]: TextId };
  /** Where variables begin and end, while they are held against each other. */
  starts: Float64Array;
  ends: Float64Array;
  /** What the ELF section of debug sections of a name is called. */
  readonly debugNames: Map<TextId, Uint8Array>;
  /** Where the file has the last function's shape: bytes from the start of the file. */
  readonly lastFunction: { start: number; end: number; shape: ShapeId };
}

const NO_FILE: ElfFrame = {
  bytes: new Uint8Array(0),
  words: new Uint32Array(0),
  headers: 0,
  sectionCount: 0,
  symbolCount: 0,
  declared: 0,
  extended: 0,
  graph: 0,
};

export const createReading = (tables: Tables): Reading => ({
  tables,
  cursor: createCursor(),
  file: NO_FILE,
  pool: new Int32Array(256),
  sectionRow: new Int32Array(256),
  rel: new Int32Array(256),
  rela: new Int32Array(256),
  facts: new Uint16Array(256),
  told: 0,
  batch: createBatch(256),
  names: new Int32Array(256),
  starts: new Float64Array(256),
  ends: new Float64Array(256),
  debugNames: new Map(),
  lastFunction: { start: 0, end: 0, shape: 0 },
});

/** In `facts`, above what tables have of them. */
export const IS_TOLD = 0x8000;
