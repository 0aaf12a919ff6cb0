// Reads object files into the tables of a plain link (../../link.ts), in WebAssembly: what object/file/read.ts does, without a JavaScript
// object for each thing read. A link of thousands of files is over before the engine has optimised as much JavaScript, and this runs
// at full speed from the first file on. It takes files as our writer makes them and gives up (leave.ts) at whatever is otherwise or
// wrong; then the ordinary reader decides. Every index and offset that comes into the tables was checked. ../object-reader.ts calls it.
// Rejected: the same in JavaScript, which took three times as long; asm.js, whose rules leave no names for fields; and this language for
// what comes after reading, which options change in many ways.

import { checkApart } from "./apart";
import { readDebug } from "./debug";
import { checkFrame } from "./frame";
import { firstElf, setWord, symbolCount, symbolOf, wordOf } from "./file";
import { readGraph } from "./graph";
import { placeSymbols, readKernels, readSections } from "./places";
import { findTables } from "./sections";
import { readDeclared, readNames } from "./symbols";

/** Reads a file as number `index`, those before it having been read. */
export function readObject(index: u32): void {
  readSymbols(index);
  findTables();
  readSections(index);
  placeSymbols(index);
  checkApart(index);
  readKernels(index);
  readDebug(index);
  readGraph(index);
}

/** Of a file no more than its modules and symbols, whose places are not found yet. */
export function readSymbols(index: u32): void {
  checkFrame();
  const first = wordOf(firstElf, index);
  setWord(firstElf, index + 1, first + symbolCount);
  memory.fill(symbolOf + 4 * first, 0xff, 4 * symbolCount);
  readNames();
  readDeclared(index);
}

export { common, kernels, mostParameterBytes, roleCount, roleShapes, secondNames } from "./places";
export { modules, moduleStart, moduleVersion, oldestVersion, options, references, referenceTypes, shared, targets, version } from "./symbols"; // prettier-ignore
export { addressUses, calls, indirectCalls, taken } from "./graph";
export { align, at, code, column, facts, firstElf, firstModule, firstSection, firstSymbol, flags, line, module, name, offset, owner, place, rel, relEnd, rela, relaEnd, role, runs, shape, size, symbolOf } from "./file"; // prettier-ignore
export { characters, checkDeclared, functions, INSIDE, LETTER, SIGN } from "./declared";
export { debug } from "./debug";
export { fieldCount, HAS_SIZE, IS_TYPE, shapeCount, shapeHash, shapeRoom, shapeSlots, shapeSlotWords, shapeStart, shapeWordRoom, shapeWords, typeFacts, typeLimit } from "./shapes"; // prettier-ignore
export { containerVersion, fixedNames } from "./frame";
export { hasLeft } from "./leave";
export { holderTypes } from "./sections";
export { open } from "./file";
export { reserve } from "./memory";
export { isUtf8 } from "./utf8";
export { textBytes, textCount, textRoom, textSalt, textSlots, textSlotWords, textStart, textStarts } from "./texts"; // prettier-ignore
export * from "./constants";
