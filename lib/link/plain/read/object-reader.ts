// Object files -> rows of the tables of a plain link (../tables/tables.ts): what object/file/read.ts does, without a value for each thing
// read. It takes files as our writer makes them and gives up (tables/cursor.ts) at whatever is otherwise or wrong; then that reader
// decides. Every index and offset that comes into the tables was checked.

import type { Tables } from "../tables/tables.js";
import { checkDeclared } from "./declared-rules.js";
import { readDeclared } from "./declared.js";
import { checkFrame, findTables, readNames } from "./elf-frame.js";
import type { ElfFrame } from "./frame.js";
import { readGraph } from "./graph.js";
import { checkApart, placeSymbols, readDebug, readKernels, readSections } from "./places.js";
import { createReading } from "./reading.js";

export interface ObjectReader {
  /** Reads a file as number `index`, those before it having been read. */
  read(index: number, file: ElfFrame): void;
  /** Of a file no more than its modules and symbols, whose places are not found. */
  readSymbols(index: number, file: ElfFrame): void;
  /** Looks at what all rows declare. */
  finish(): void;
}

export function createObjectReader(tables: Tables): ObjectReader {
  const reading = createReading(tables);
  const readFront = (index: number, file: ElfFrame) => {
    const { firstElf, symbolOf } = tables;
    reading.index = index;
    reading.file = file;
    checkFrame(reading);
    firstElf[index + 1] = firstElf[index]! + file.symbolCount;
    symbolOf.fill(-1, firstElf[index]!, firstElf[index + 1]!);
    readNames(reading);
    return readDeclared(reading);
  };
  return {
    read(index, file) {
      const places = readFront(index, file);
      findTables(reading);
      readSections(reading, places);
      placeSymbols(reading);
      checkApart(reading);
      readKernels(reading, places);
      readDebug(reading, places);
      readGraph(reading);
    },
    readSymbols(index, file) {
      readFront(index, file);
    },
    finish() {
      checkDeclared(tables);
    },
  };
}
