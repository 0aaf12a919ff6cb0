// Reads object files to rows of the columns, like object/file/read.ts, but without a value for each item. It supports files of
// ptxkit's writer, and bails out (../cursor.ts) of all others and of malformed ones, which that reader then handles. Every index
// and offset in the columns has been checked.

import type { Columns } from "../columns.js";
import { checkDeclared } from "./declaration-rules.js";
import { readDeclared } from "./declarations.js";
import { checkElfFile, readNames } from "./elf-sections.js";
import type { ObjectElf } from "./elf-file.js";
import { readGraph } from "./call-graph.js";
import { placeSymbols, readDebug, readKernels, readSections } from "./sections.js";
import { createReaderState } from "./reader-state.js";

export interface ObjectReader {
  /** Reads file number `index`; earlier files have been read. */
  read(index: number, file: ObjectElf): void;
  /** Reads only the modules and symbols of a file, without their places. */
  readSymbols(index: number, file: ObjectElf): void;
  /** Checks the declarations of all rows. */
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
