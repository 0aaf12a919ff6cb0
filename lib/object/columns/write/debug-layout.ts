// Lays out all modules' debug sections in a file, and resolves references: offsets in the file's debug sections, which are known,
// and places in code and data, which also get a relocation. docs/format.md, "Debug sections". The bytes contain the values that
// NVIDIA's linker would write if every section had the address 0, so that DWARF readers without the relocations of EM_CUDA show
// offsets in functions and in data. References to discarded parts (code of a weak definition that lost, or that --gc-sections
// dropped) are 0 and have no relocation. Malformed sections keep their bytes. Names are numbers, and no object is allocated for a
// reference: a program of a thousand modules with lines has ten thousand references to code and a hundred thousand to names of
// functions.

import { listIn } from "../../../base/lists.js";
import { debugElfName, type FoundParameter, type FoundSymbol } from "../../dwarf/debug-layout.js";
import {
  FORM,
  FORMS,
  hasTexts,
  isMadeSection,
  NEXT_SECTION,
  REFERENCE_HAS,
  TYPES,
} from "../../dwarf/debug-sections.js";
import { narrowType } from "../../relocation-types.js";
import { LEB, MAX_IN_ROW, putInteger, typeBytes } from "../../../ptx/section-data.js";
import { createCursor, malformed, readCount, readU8, readVarU, unlessMalformed, type Cursor } from "../cursor.js";
import { RELA_WORDS, type DebugPart, type Columns } from "../columns.js";
import { internDecoded, larger32, stringOf, type StringId } from "../strings.js";

export interface DebugSectionLayout {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** RELA records of places in code and data, by offset; symbols are numbered as the finder numbers them. */
  readonly records: Int32Array;
}

export interface DebugLayout {
  /** The ELF sections, in order of first appearance; parts of the same name follow each other. */
  readonly sections: readonly DebugSectionLayout[];
  /** For each part: the index of its section in `sections`, and its start there. */
  readonly sectionOf: Int32Array;
  readonly startOf: Int32Array;
}

/** Finds the symbol or parameter of a name in a module. */
export type FindDebugText = (module: number, name: StringId) => FoundSymbol | FoundParameter | undefined;

/** Lays out the sections of all modules and resolves their references. */
export function layOutDebug(columns: Columns, finder: () => FindDebugText): DebugLayout {
  const { debug } = columns;
  const joined = joinParts(columns);
  if (!debug.some(hasTexts)) return finished(joined);
  const pools = readPools(columns);
  const find = finder();
  const { count } = columns.strings;
  const layout: DebugState = {
    ...joined,
    ...pools,
    debug,
    find,
    cursor: createCursor(),
    offsetOf: new Int32Array(count),
    holder: new Int32Array(count).fill(-1),
  };
  const parts = new Map<number, number[]>();
  for (let part = 0; part < debug.length; part++) listIn(parts, debug[part]!.module).push(part);
  for (const own of parts.values()) layOutModule(layout, own);
  return finished(joined);
}

// ----------------------------------------------------------------------------------------------------------------- parts

interface Records {
  length: number;
  words: Int32Array;
}

interface PartialLink extends Omit<DebugLayout, "sections"> {
  readonly names: readonly string[];
  readonly bytes: readonly Uint8Array[];
  readonly records: readonly Records[];
}

/** Joins the parts. The bytes of each ELF section are ranges of one array. */
function joinParts({ debug, strings }: Columns): PartialLink {
  const numbers = new Map<StringId, number>();
  const names: string[] = [];
  const sizes: number[] = [];
  const sectionOf = new Int32Array(debug.length);
  const startOf = new Int32Array(debug.length);
  debug.forEach(({ name, data }, part) => {
    let section = numbers.get(name);
    if (section === undefined) {
      const own = debugElfName(stringOf(strings, name));
      const known = names.indexOf(own);
      section = known < 0 ? names.push(own) - 1 : known;
      sizes[section] ??= 0;
      numbers.set(name, section);
    }
    sectionOf[part] = section;
    startOf[part] = sizes[section]!;
    sizes[section]! += data.length;
  });
  const all = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0));
  let end = 0;
  const bytes = sizes.map((size) => all.subarray(end, (end += size)));
  debug.forEach(({ data }, part) => bytes[sectionOf[part]!]!.set(data, startOf[part]));
  return { names, bytes, records: names.map(() => ({ length: 0, words: new Int32Array(64) })), sectionOf, startOf };
}

const finished = ({ names, bytes, records, sectionOf, startOf }: PartialLink): DebugLayout => ({
  sections: names.map((name, i) => {
    const { words, length } = records[i]!;
    return { name, bytes: bytes[i]!, records: words.subarray(0, length) };
  }),
  sectionOf,
  startOf,
});

// ------------------------------------------------------------------------------------------------------------ references

interface Pools {
  /** The strings of all records, concatenated. */
  readonly pool: Int32Array;
  /** First string of each part, and the end. */
  readonly poolOf: Int32Array;
  /** For each part with strings, the start of its runs in its record. */
  readonly runsOf: Int32Array;
}

interface DebugState extends PartialLink, Pools {
  readonly debug: readonly DebugPart[];
  readonly find: FindDebugText;
  readonly cursor: Cursor;
  /**
   * For each string, the offset of the label or section of that name in its ELF section, for the module (`holder`) in which it
   * was last found.
   */
  readonly offsetOf: Int32Array;
  readonly holder: Int32Array;
}

function readPools({ debug, strings }: Columns): Pools {
  const cursor = createCursor();
  const poolOf = new Int32Array(debug.length + 1);
  const runsOf = new Int32Array(debug.length);
  let pool = new Int32Array(64);
  let length = 0;
  debug.forEach((part, i) => {
    runsOf[i] = part.record.length;
    if (hasTexts(part))
      unlessMalformed(() => {
        open(cursor, part, 1);
        for (let left = readCount(cursor, 1); left > 0; left--) {
          const end = readCount(cursor, 1) + cursor.at;
          if (length === pool.length) pool = larger32(pool);
          pool[length++] = internDecoded(strings, cursor.bytes, cursor.at, end);
          cursor.at = end;
        }
        runsOf[i] = cursor.at;
      });
    poolOf[i + 1] = length;
  });
  return { pool, poolOf, runsOf };
}

function open(cursor: Cursor, { record }: DebugPart, at: number): void {
  cursor.bytes = record;
  cursor.at = at;
  cursor.end = record.length;
}

/** Processes the parts of one module: first the names defined in them, then the references to those. */
function layOutModule(state: DebugState, parts: readonly number[]): void {
  const { debug, holder, offsetOf, startOf } = state;
  for (const part of parts) {
    const { name, module } = debug[part]!;
    if (holder[name] !== module) offsetOf[name] = startOf[part]!;
    holder[name] = module;
    // Sections that were made from lines define no labels.
    if (hasTexts(debug[part]!) && !isMadeSection(debug[part]!)) walkPart(state, part, false);
  }
  for (const part of parts) if (hasTexts(debug[part]!)) walkPart(state, part, true);
}

/** Walks a part up to its end, or up to malformed bytes. `writes`: whether to write references, or to note labels. */
const walkPart = (state: DebugState, part: number, writes: boolean): void =>
  unlessMalformed(() => walk(state, part, writes));

function walk(state: DebugState, part: number, writes: boolean): void {
  const { debug, cursor, runsOf, startOf, holder, offsetOf } = state;
  const { data, module } = debug[part]!;
  const isMade = isMadeSection(debug[part]!);
  open(cursor, debug[part]!, runsOf[part]!);
  let at = 0;
  while (cursor.at < cursor.end) {
    const head = readVarU(cursor);
    if (head === NEXT_SECTION) continue;
    const form = head % FORMS;
    if (form === FORM.label) {
      if (isMade) malformed("a label among lines");
      const label = readName(state, part);
      if (writes) continue;
      holder[label] = module;
      offsetOf[label] = startOf[part]! + at;
      continue;
    }
    const detail = readVarU(cursor);
    if (form === FORM.reference) {
      if (detail > (isMade ? LEB : TYPES - 1) || at + typeBytes(detail) > data.length) malformed("a reference");
      refer(state, part, at, detail, writes);
      at += typeBytes(detail);
      continue;
    }
    const each = Math.floor(detail / TYPES);
    const count = Math.floor(head / FORMS);
    if (each === 0 || count === 0 || Math.max(each, count) > MAX_IN_ROW) malformed("a directive without values");
    at += each * count * (1 << (detail % TYPES));
    if (at > data.length) malformed("a debug section cut short");
  }
  if (at !== data.length) malformed("a debug section cut short");
}

/** Reads a string of a part by its index. */
function readName({ cursor, pool, poolOf }: DebugState, part: number): StringId {
  const index = poolOf[part]! + readVarU(cursor);
  return index < poolOf[part + 1]! ? pool[index]! : malformed("no such text");
}

/** Reads a reference at a byte of a part, and writes its value. */
function refer(state: DebugState, part: number, at: number, type: number, writes: boolean): void {
  const { cursor, debug, holder, offsetOf } = state;
  const name = readName(state, part);
  const has = readU8(cursor);
  const minus = (has & REFERENCE_HAS.minus) !== 0 ? readName(state, part) : -1;
  const offset = (has & REFERENCE_HAS.offset) !== 0 ? readOffset(cursor) : 0;
  const code = (has & REFERENCE_HAS.place) !== 0 ? readPlace(state, part) : undefined;
  const from = code !== undefined && minus >= 0 ? readPlace(state, part) : undefined;
  if (!writes) return;
  const { module } = debug[part]!;
  if (holder[name] === module && (minus < 0 || holder[minus] === module)) {
    put(state, part, at, type, plus(offsetOf[name]! - (minus < 0 ? 0 : offsetOf[minus]!), offset));
  } else if (type === LEB) {
    // Line number opcodes have no room for a relocation.
    put(state, part, at, type, 0);
  } else if (code !== undefined) referToCode(state, part, at, type, code, from, offset);
  else {
    const found = minus < 0 ? state.find(module, name) : undefined;
    put(state, part, at, type, found === undefined ? 0 : plus(found.offset, offset));
    if (found?.index !== undefined) record(state, part, at, type, found, offset);
  }
}

interface Place {
  readonly name: StringId;
  /** Offset in bytes from the start of the function's code. */
  readonly at: number;
}

const readPlace = (state: DebugState, part: number): Place => {
  const name = readName(state, part);
  return { name, at: readVarU(state.cursor) };
};

/**
 * Writes a reference to code; for two places in the same function, their distance. Places in another module's definition do not
 * apply, so they give 0.
 */
function referToCode(
  state: DebugState,
  part: number,
  at: number,
  type: number,
  place: Place,
  from: Place | undefined,
  offset: Offset,
): void {
  const owner = ({ name }: Place): FoundSymbol | undefined => {
    const found = state.find(state.debug[part]!.module, name);
    return found?.index !== undefined && found.isOwn ? found : undefined;
  };
  const found = owner(place);
  const value = plus(place.at, offset);
  if (found === undefined) put(state, part, at, type, 0);
  else if (from !== undefined)
    put(state, part, at, type, owner(from)?.index === found.index ? plus(place.at - from.at, offset) : 0);
  else {
    put(state, part, at, type, value);
    record(state, part, at, type, found, value);
  }
}

/** An offset, as a number if possible: few need 64 bits. */
type Offset = number | bigint;

const plus = (place: number, offset: Offset): Offset =>
  typeof offset === "number" ? place + offset : BigInt(place) + offset;

const put = ({ bytes, sectionOf, startOf }: DebugState, part: number, at: number, type: number, value: Offset): void =>
  putInteger(bytes[sectionOf[part]!]!, startOf[part]! + at, value, type);

function record(
  { records, sectionOf, startOf }: DebugState,
  part: number,
  at: number,
  type: number,
  { index, relocation }: FoundSymbol,
  addend: Offset,
): void {
  if (relocation === undefined) return;
  const into = records[sectionOf[part]!]!;
  if (into.length + RELA_WORDS > into.words.length) into.words = larger32(into.words);
  const { words, length } = into;
  words[length] = startOf[part]! + at;
  words[length + 2] = type === 2 ? narrowType(relocation) : relocation;
  words[length + 3] = index;
  words[length + 4] = Number(BigInt.asIntN(32, BigInt(addend)));
  words[length + 5] = Number(BigInt.asIntN(32, BigInt(addend) >> 32n));
  into.length = length + RELA_WORDS;
}

/** Reads the unsigned LEB128 of a signed offset's 64 bits. */
function readOffset(cursor: Cursor): Offset {
  let [low, high] = [0, 0];
  for (let i = 0; i < 10; i++) {
    const byte = readU8(cursor);
    if (i < 7) low += (byte & 0x7f) * 128 ** i;
    else high += (byte & 0x7f) * 128 ** (i - 7);
    if (byte >= 0x80) continue;
    if (high === 2 ** 15 - 1) return low - 2 ** 49;
    return high === 0 ? low : BigInt.asIntN(64, BigInt(low) + (BigInt(high) << 49n));
  }
  return malformed("a large offset");
}
