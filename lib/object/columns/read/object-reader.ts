// Object files -> rows of the columns: what object/file/read.ts does, without a value for each thing read. It supports files of our
// writer and bails out (../cursor.ts) of all others and of malformed ones; then that reader decides. Every index and offset in the columns
// has been checked.

import type { Columns } from "../columns.js";
import { checkDeclared } from "./declaration-rules.js";
import { readDeclared } from "./declarations.js";
import { checkElfFile, readNames } from "./elf-sections.js";
import type { ObjectElf } from "./elf-file.js";
import { readGraph } from "./call-graph.js";
import { placeSymbols, readDebug, readKernels, readSections } from "./sections.js";
import { createReaderState } from "./reader-state.js";

export interface ObjectReader {
  /** Reads a file as number `index`, those before it having been read. */
  read(index: number, file: ObjectElf): void;
  /** Of a file no more than its modules and symbols, whose places are not found. */
  readSymbols(index: number, file: ObjectElf): void;
  /** Looks at what all rows declare. */
  finish(): void;
}

export function createObjectReader(columns: Columns): ObjectReader {
  const state = createReaderState(columns);
  const readFront = (index: number, file: ObjectElf) => {
    const { firstElfSymbol, symbolOf } = columns;
    state.index = index;
    state.file = file;
    checkElfFile(state);
    firstElfSymbol[index + 1] = firstElfSymbol[index]! + file.symbolCount;
    symbolOf.fill(-1, firstElfSymbol[index]!, firstElfSymbol[index + 1]!);
    readNames(state);
    return readDeclared(state);
  };
  return {
    read(index, file) {
      const places = readFront(index, file);
      readSections(state, places);
      placeSymbols(state);
      readKernels(state, places);
      readDebug(state, places);
      readGraph(state);
    },
    readSymbols(index, file) {
      readFront(index, file);
    },
    finish() {
      checkDeclared(columns);
    },
  };
}
