// Joins debug sections of several modules that refer to `.debug_info` or, by number, to source files. These are the names of
// entries by which debuggers find units (`.debug_pubnames`, `.debug_pubtypes`, DWARF 4 section 6.1.1; GNU's have a kind byte for
// each name), macros (`.debug_macinfo`, 6.3.1), and lists of locations (`.debug_loc`, 2.6.2). LLVM writes the names by default,
// and macros on request; nvcc 13 writes lists of registers only. ptxas does not accept LLVM's `.debug_aranges`, and
// `.debug_names` belongs to DWARF 5, which LLVM writes for no GPU.

import { malformed } from "../../../formats/bytes/malformed.js";
import { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU } from "../../../formats/bytes/varint.js";
import { mayNameEntries } from "./dwarf-expressions.js";
import { editedBytes, renumbered, type Edit, type JoinedUnit } from "./dwarf-units.js";

/** Tables of names, with whether each name has a kind byte. */
const NAME_TABLES: ReadonlyMap<string, boolean> = new Map([
  [".debug_pubnames", false],
  [".debug_pubtypes", false],
  [".debug_gnu_pubnames", true],
  [".debug_gnu_pubtypes", true],
]);

export const isNameTable = (name: string): boolean => NAME_TABLES.has(name);

/** The place of a module's units in the joined section. */
export interface UnitPlaces {
  /** Offset of the first byte of its part. */
  readonly base: number;
  /** The new offset of something in the part. */
  moved(offset: number): number;
}

/**
 * Inside a decoder: the table with offsets in the joined section. `unitAt`: the value of a reference at a byte, used instead of
 * the bytes: an offset in the module's own part.
 */
export function joinedNames(
  name: string,
  data: Uint8Array,
  unitAt: (at: number) => number | undefined,
  { base, moved }: UnitPlaces,
): Uint8Array {
  const hasKinds = NAME_TABLES.get(name) === true;
  const joined = new Uint8Array(data);
  const view = new DataView(joined.buffer);
  const reader = new ByteReader(data);
  while (reader.remaining > 0) {
    const start = reader.position;
    const size = reader.u32("length of a table of names");
    if (size >= 0xfffffff0) malformed("unsupported", start, `${name} of 64-bit DWARF`);
    const table = reader.window(size, "a table of names");
    const version = table.u16("version of a table of names");
    if (version !== 2) malformed("unsupported", start, `${name} of version ${version}`);
    const unit = unitAt(table.position) ?? table.u32("offset of a unit");
    view.setUint32(start + 6, base + moved(unit), true);
    table.seek(6, "length of a unit");
    const inUnit = (offset: number): number => moved(unit + offset) - moved(unit);
    view.setUint32(start + 10, inUnit(table.u32("length of a unit")), true);
    while (table.remaining > 0) {
      const at = table.position;
      const entry = table.u32("offset of an entry");
      if (entry === 0) break;
      view.setUint32(at, inUnit(entry), true);
      if (hasKinds) table.u8("kind of a name");
      table.skipCstring("name of an entry");
    }
  }
  return joined;
}

const [END, DEFINE, UNDEFINE, START_FILE, END_FILE, EXTENSION] = [0, 1, 2, 3, 4, 255];

/** Inside a decoder: `.debug_macinfo` with new file numbers. */
export function joinedMacros(data: Uint8Array, numberOf: (file: number) => number): JoinedUnit {
  const copy = new Uint8Array(data);
  const edits: Edit[] = [];
  const reader = new ByteReader(data);
  while (reader.remaining > 0) {
    const at = reader.position;
    const type = reader.u8("kind of a macro");
    if (type === END || type === END_FILE) continue;
    readVarU(reader, "line of a macro");
    if (type === START_FILE) {
      const place = reader.position;
      const file = readVarU(reader, "file of macros");
      renumbered(copy, place, reader.position - place, numberOf(file), edits);
    } else if (type === DEFINE || type === UNDEFINE || type === EXTENSION) reader.skipCstring("macro");
    else malformed("unsupported", at, `.debug_macinfo with a macro of kind ${type}`);
  }
  return editedBytes(copy, edits);
}

/** In lists: bytes per address, and the value that marks a new base. */
const [ADDRESS, BASE] = [8, 0xffff_ffff_ffff_ffffn];

/**
 * Inside a decoder: rejects lists of locations that may refer to entries, which move. `isPlace`: whether there is a reference at
 * a byte.
 */
export function checkLocations(data: Uint8Array, isPlace: (at: number) => boolean): void {
  const reader = new ByteReader(data);
  while (reader.remaining > 0) {
    const at = reader.position;
    const [begin, end] = [reader.u64("address"), reader.u64("address")];
    if (begin === BASE || (begin === 0n && end === 0n && !isPlace(at) && !isPlace(at + ADDRESS))) continue;
    const size = reader.u16("size of an expression");
    if (mayNameEntries(reader.view8(size, "expression"), ADDRESS))
      malformed("unsupported", at, "a location that may name an entry, of a unit that gets longer");
  }
}
