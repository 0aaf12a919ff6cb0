// An assembled object on its way into a link (../../../link/link.ts): rows of numbers, and the bytes and relocation records of its sections.
// Names and what declarations say are numbers of a dictionary that many objects share, so that each name of a link is
// interned once. Only pack.ts makes packed objects, so unpack.ts trusts them and checks nothing.
// Rejected: object files in memory. To write and to read one took a seventh of the time of a link of 1000 sources.

import type { DebugSection } from "../../dwarf/debug-sections.js";
import type { ObjectElf } from "../read/elf-file.js";
import { moduleWords } from "../modules.js";
import type { TypeTable } from "../types.js";
import { stringOf, type StringId, type StringTable } from "../strings.js";

/** Strings and types by their numbers. */
export interface Dictionary extends Pick<TypeTable, "count" | "words" | "start"> {
  readonly strings: Pick<StringTable, "count" | "bytes" | "start">;
}

/** All of them are views of one piece of memory. */
export interface PackedObject {
  readonly dictionary: Dictionary;
  /** Counts, and behind them rows and lists in the order below. */
  readonly rows: Int32Array;
  /** Records of relocations, REL or RELA, by their words, and behind those of a section their runs. */
  readonly records: Uint32Array;
  /** Contents of sections, code as far from each other as in an image. */
  readonly bytes: Uint8Array;
  readonly debug: readonly PackedDebug[];
}

/** An input of a link: a file's bytes, a file whose header was read before, or a packed object. */
export type LinkInput = Uint8Array | ObjectElf | PackedObject;

export const isPacked = (input: object): input is PackedObject => "dictionary" in input;

export type PackedDebug = Pick<DebugSection, "data" | "record" | "module"> & { readonly name: StringId };

/** Fields at the beginning of the rows. */
export const COUNT = {
  symbols: 0,
  sections: 1,
  /** Words of the modules as columns have them. */
  module: 2,
  kernels: 3,
  /** Numbers, two for each, of these and the last two. */
  calls: 4,
  addressTaken: 5,
  addressUses: 6,
  indirectCalls: 7,
  shared: 8,
  common: 9,
  references: 10,
  functionAliases: 11,
  modules: 12,
  /** The string of the target that the object is compiled for, and its version. */
  target: 13,
  version: 14,
  aliases: 15,
} as const;
export const COUNTS = 16;

/** Words of a symbol: name, code + 256 x flags, type, place as in columns, offset (two), line, column, module. */
export const SYMBOL_WORDS = 9;
/**
 * Words of a section: role + 256 x facts, owner, where it begins, size (two), alignment (two), its records from and to, RELA or not,
 * runs.
 */
export const SECTION_WORDS = 11;

/** Where the rows have the modules: of each its name, version, target and so on. */
export const moduleIn = (rows: Int32Array): number =>
  COUNTS + SYMBOL_WORDS * rows[COUNT.symbols]! + SECTION_WORDS * rows[COUNT.sections]!;

/** The targets that its modules are linked for: modules.ts, targetsIn. */
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
