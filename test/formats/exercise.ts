// Reads everything that formats can read in some bytes. For hostile input: it must return, without an exception and in
// time that the size justifies.
import { written } from "../../formats/bytes/writer.js";
import {
  decodeInfo,
  parsePrototype,
  readCallGraph,
  readCudaInfo,
  readInfo,
  readPrototypes,
  readToolkitInfo,
  writeInfo,
} from "../../formats/cuda/index.js";
import { crossCheck } from "../../formats/elf/elfy-witness.js";
import {
  isSymbolTable,
  notesOf,
  readElf,
  relocationKind,
  relocationsOf,
  stringAt,
  symbolsOf,
  type ElfFile,
  type ElfSection,
} from "../../formats/elf/index.js";

/** The number of things read; 0 if the file itself was refused. */
export function exercise(bytes: Uint8Array): number {
  const file = readElf(bytes);
  if (!file.ok) return 0;
  crossCheck(bytes, file.value);
  return file.value.sections.reduce((sum, section) => sum + exerciseSection(file.value, section), 1);
}

function exerciseSection(file: ElfFile, section: ElfSection): number {
  const { machine } = file.header;
  let count = 0;
  if (isSymbolTable(machine, section.type)) {
    const symbols = symbolsOf(file, section);
    if (symbols.ok)
      for (let i = 0; i < symbols.value.count; i++) {
        symbols.value.at(i);
        symbols.value.value64(i);
        count++;
      }
  }
  if (relocationKind(machine, section.type) !== undefined) {
    const relocations = relocationsOf(file, section);
    if (relocations.ok)
      for (let i = 0; i < relocations.value.count; i++) {
        relocations.value.at(i);
        relocations.value.addend64(i);
        count++;
      }
  }
  const notes = notesOf(file, section);
  for (const note of notes.ok ? notes.value : []) {
    readToolkitInfo(note);
    readCudaInfo(note);
    count++;
  }
  // Every section as every table, because a hostile file can claim any type.
  const info = readInfo(section.data, section.offset);
  for (const record of info.ok ? info.value : []) {
    written((writer) => writeInfo(writer, [decodeInfo(record)]));
    count++;
  }
  readCallGraph(section.data, section.offset);
  const prototypes = readPrototypes(section.data, section.offset);
  for (const { prototype } of prototypes.ok ? prototypes.value.slice(0, 20) : []) {
    const text = stringAt(file, 2, prototype);
    if (text.ok) parsePrototype(text.value);
  }
  return count;
}
