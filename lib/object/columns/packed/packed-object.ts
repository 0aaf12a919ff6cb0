// An assembled object in the form in which a link reads it (../../../link/link.ts): rows of numbers, and the bytes and relocation
// records of its sections. Strings and types are numbers in a dictionary that many objects share, so that each name of a link is
// interned once. Only pack.ts makes packed objects, so unpack.ts trusts them and checks nothing. Rejected: object files in
// memory; writing and reading one took a seventh of the time of a link of 1000 sources.

import type { DebugSection } from "../../dwarf/debug-sections.js";
import type { ObjectElf } from "../read/elf-file.js";
import { moduleWords } from "../modules.js";
import type { TypeTable } from "../types.js";
import { stringOf, type StringId, type StringTable } from "../strings.js";

/** Strings and types by number. */
export interface Dictionary extends Pick<TypeTable, "count" | "words" | "start"> {
  readonly strings: Pick<StringTable, "count" | "bytes" | "start">;
}

/** All parts are views of one buffer. */
export interface PackedObject {
  readonly dictionary: Dictionary;
  /** Counts, followed by rows and lists in the order below. */
  readonly rows: Int32Array;
  /** Words of the relocation records, REL or RELA; the runs of a section follow its records. */
  readonly records: Uint32Array;
  /** Contents of sections; code has the same distances as in an image. */
  readonly bytes: Uint8Array;
  readonly debug: readonly PackedDebug[];
}

/** An input of a link: a file's bytes, a file whose header has been read, or a packed object. */
export type LinkInput = Uint8Array | ObjectElf | PackedObject;

export const isPacked = (input: object): input is PackedObject => "dictionary" in input;

export type PackedDebug = Pick<DebugSection, "data" | "record" | "module"> & { readonly name: StringId };

/** Indices of the counts at the start of the rows. */
export const COUNT = {
  symbols: 0,
  sections: 1,
  /** Number of words for the modules, as in columns. */
  module: 2,
  kernels: 3,
  /** Number of words of these, with two words per entry; the same for the last two lists. */
  calls: 4,
  addressTaken: 5,
  addressUses: 6,
  indirectCalls: 7,
  shared: 8,
  common: 9,
  references: 10,
  functionAliases: 11,
  modules: 12,
  /** The string of the target for which the object is compiled, and its version. */
  target: 13,
  version: 14,
  aliases: 15,
} as const;
export const COUNTS = 16;

/** Words in a symbol row: name, code + 256 x flags, type, place as in columns, offset (two), line, column, module. */
export const SYMBOL_WORDS = 9;
/**
 * Words in a section row: role + 256 x properties, owner, start, size (two), alignment (two), start and end of its records,
 * whether they are RELA, runs.
 */
export const SECTION_WORDS = 11;

/** The index in the rows at which the modules begin: for each its name, version, target and so on. */
export const moduleIn = (rows: Int32Array): number =>
  COUNTS + SYMBOL_WORDS * rows[COUNT.symbols]! + SECTION_WORDS * rows[COUNT.sections]!;

/** The targets for which its modules are linked; see modules.ts, targetsIn. */
export function targetsOfPacked(rows: Int32Array): readonly StringId[] {
  const targets: StringId[] = [];
  let at = moduleIn(rows);
  for (let left = rows[COUNT.modules]!; left > 1 || targets.length > 0; left--, at += moduleWords(rows, at)) {
    if (left === 0) return targets;
    targets.push(-rows[at + 2]! - 1);
  }
  return [rows[COUNT.target]!];
}

export const targetOfPacked = ({ rows, dictionary }: PackedObject): string =>
  stringOf(dictionary.strings, rows[COUNT.target]!);
