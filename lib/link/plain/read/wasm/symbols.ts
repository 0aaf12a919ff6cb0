// The front of `.ptxkit.decl`: the file's texts, modules and symbols, whose places are not found yet (places.ts).

import * as ELF from "./constants";
import { advance, beginAt, cursor, readCount, readU8, readVarU } from "./cursor";
import {
  bytesOf, code, column, declared, file, fileBytes, firstElf, firstModule, firstSymbol, flags, line, module, name, placeOf, setWord, shape,
  symbolCount, symbolOf, wordOf,
} from "./file"; // prettier-ignore
import { notPlain } from "./leave";
import { List, push, reserve } from "./memory";
import {
  beginPool,
  forgetLastFunction,
  readFunctionShape,
  readReferenceShape,
  readText,
  readVariableShape,
} from "./shapes";
import { addToBatch, beginBatch, intern, internBatch, ofBatch } from "./texts";

// What files have few of, for who calls. Modules as .ptxkit.decl has them, text n as -n - 1; where each begins in those.
export const modules = changetype<List>(memory.data(12));
export const moduleStart = changetype<List>(memory.data(12));
export const moduleVersion = changetype<List>(memory.data(12));
/** Words beside a target, texts. */
export const options = changetype<List>(memory.data(12));
/** Targets of objects, texts, each with the flags of its ELF header behind it; not twice in a row. */
export const targets = changetype<List>(memory.data(12));

// How many symbols are such.
export let shared: u32 = 0;
export let references: u32 = 0;

/** What versions of the declarations are read. */
export let oldestVersion: u32 = 0;
export let version: u32 = 0;
/** How many types of references there are. */
export let referenceTypes: u32 = 0;

/** Of each ELF symbol its text, -1 for those that can be none of the object. */
let names: usize = 0;
let nameRoom: u32 = 0;

export function readNames(): void {
  if (nameRoom < symbolCount) {
    nameRoom = 2 * symbolCount;
    names = reserve(4 * nameRoom);
  }
  beginBatch(symbolCount);
  const strings = file + placeOf(ELF.STRINGS);
  let at = file + placeOf(ELF.SYMBOLS);
  let count: u32 = 0;
  for (let elf: u32 = 0; elf < symbolCount; elf++, at += 24) {
    const start = strings + load<u32>(at);
    // Names of sections begin with a dot, and stand in the same table.
    const isSection = (load<u8>(at, 4) & 15) == ELF.STT_SECTION || load<u8>(start) == 0x2e;
    store<i32>(names + 4 * elf, isSection ? -1 : count);
    if (!isSection) addToBatch(count++, start);
  }
  internBatch(count, fileBytes);
  for (let elf: u32 = 0; elf < symbolCount; elf++) {
    const number = load<i32>(names + 4 * elf);
    if (number >= 0) store<u32>(names + 4 * elf, ofBatch(number));
  }
}

/** Reads file `index` up to its symbols. */
export function readDeclared(index: u32): void {
  const start = file + placeOf(declared);
  beginAt(start, start + bytesOf(declared));
  forgetLastFunction();
  let magic: u32 = 0;
  for (let i = 0; i < 4; i++) magic |= readU8() << (8 * i);
  if (magic != ELF.MAGIC) notPlain();
  const written = readU8();
  if (written < oldestVersion || written > version) notPlain();
  advance(3);
  readPool();
  const target = readText();
  readVarU();
  readModules(index, target);
  noteTarget(target, load<u32>(file, 48));
  const first = wordOf(firstSymbol, index);
  const end = first + readCount(5);
  setWord(firstSymbol, index + 1, end);
  for (let row = first; row < end; row++) readSymbol(index, row);
}

function readPool(): void {
  const count = readCount(1);
  const pool = beginPool(count);
  for (let i: u32 = 0; i < count; i++) {
    const length = readCount(1);
    store<u32>(pool + 4 * i, intern(cursor, length));
    advance(length);
  }
}

function pushText(text: u32): void {
  push(modules, -(<i32>text) - 1);
}

function readModules(index: u32, target: u32): void {
  const count = readCount(5);
  if (count == 0) notPlain();
  for (let i: u32 = 0; i < count; i++) {
    push(moduleStart, modules.length);
    pushText(readText());
    const version = readVarU();
    push(modules, version);
    push(moduleVersion, version);
    const own = readText();
    // What was compiled for another target than its module's is nothing that stands in a file of one module.
    if (count == 1 && own != target) notPlain();
    pushText(own);
    const words = readCount(1);
    push(modules, words);
    for (let word: u32 = 0; word < words; word++) {
      const text = readText();
      push(options, text);
      pushText(text);
    }
    push(modules, readVarU());
    const files = readCount(2);
    push(modules, files);
    for (let each: u32 = 0; each < files; each++) {
      push(modules, readVarU());
      pushText(readText());
    }
  }
  setWord(firstModule, index + 1, wordOf(firstModule, index) + count);
}

function noteTarget(target: u32, flags: u32): void {
  const end = targets.at + 4 * targets.length;
  if (targets.length > 0 && load<u32>(end - 8) == target && load<u32>(end - 4) == flags) return;
  push(targets, target);
  push(targets, flags);
}

/** All of a symbol but its place. */
function readSymbol(index: u32, row: u32): void {
  const elf = readVarU();
  if (elf >= symbolCount) notPlain();
  const slot = symbolOf + 4 * (wordOf(firstElf, index) + elf);
  if (load<i32>(slot) != -1) notPlain();
  store<u32>(slot, row);
  const text = load<i32>(names + 4 * elf);
  if (text < 0) notPlain();
  setWord(name, row, text);
  const codeOf = readU8();
  const own = readVarU();
  if (own >= wordOf(firstModule, index + 1) - wordOf(firstModule, index)) notPlain();
  setWord(module, row, wordOf(firstModule, index) + own);
  setWord(line, row, readVarU());
  setWord(column, row, readVarU());
  store<u8>(code + row, <u8>codeOf);
  const kind = codeOf >> 4;
  if (kind > ELF.KIND_REFERENCE || (codeOf & 15) > ELF.LINKAGE_EXTERN) notPlain();
  const flagsOf = readU8();
  store<u8>(flags + row, <u8>flagsOf);
  const isUnified = (flagsOf & ELF.IS_UNIFIED) != 0;
  if (kind == ELF.KIND_VARIABLE) {
    if (flagsOf >> 4 > ELF.SPACE_SHARED) notPlain();
    if (flagsOf >> 4 == ELF.SPACE_SHARED) shared++;
    setWord(shape, row, readVariableShape((flagsOf & ELF.HAS_SCOPE) != 0, isUnified));
  } else if (kind == ELF.KIND_FUNCTION) {
    if ((flagsOf & ~(ELF.IS_ENTRY | ELF.IS_UNIFIED)) != 0) notPlain();
    setWord(shape, row, readFunctionShape(isUnified));
  } else {
    if (flagsOf >= referenceTypes) notPlain();
    references++;
    setWord(shape, row, readReferenceShape());
  }
}
