// The file's debug sections, at the end of `.ptxkit.decl`.

import * as ELF from "./constants";
import { advance, cursor, left, readCount, readVarU } from "./cursor";
import { bytesOf, file, fileBytes, firstModule, placeOf, sectionCount, typeOf, wordOf } from "./file";
import { notPlain } from "./leave";
import { List, push } from "./memory";
import { readText } from "./shapes";

/** Of each eight words: file, name, module, ELF section, where its data begins in the file, how long that is, and the same of its shape. */
export const debug = changetype<List>(memory.data(12));

export function readDebug(index: u32): void {
  const first = wordOf(firstModule, index);
  const modules = wordOf(firstModule, index + 1) - first;
  let total: u64 = 0;
  for (let count = readCount(6); count > 0; count--) {
    const name = readText();
    const module = readVarU();
    const elf = readVarU();
    const offset = readVarU();
    const size = readVarU();
    const shapeBytes = readCount(1);
    if (module >= modules || elf >= sectionCount || typeOf(elf) != ELF.SHT_PROGBITS) notPlain();
    total += size;
    if (<u64>offset + size > bytesOf(elf) || total > fileBytes) notPlain();
    push(debug, index);
    push(debug, name);
    push(debug, first + module);
    push(debug, elf);
    push(debug, placeOf(elf) + offset);
    push(debug, size);
    push(debug, <u32>(cursor - file));
    push(debug, shapeBytes);
    advance(shapeBytes);
  }
  if (left() != 0) notPlain();
}
