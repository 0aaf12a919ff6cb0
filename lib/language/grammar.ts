// Makes the TextMate grammar of PTX from the tables of the instruction set and the grammar's words. The result is
// lib/language/ptx.tmLanguage.json, which a test compares. Editors use it to colour text that the language server has not
// processed yet.

import { opcodeNames } from "../isa/rows/all.table.js";
import { specialRegisters } from "../isa/special-registers.table.js";
import { dataTypes } from "../isa/types.table.js";
import { functionDirectives, linkages, moduleStarters, spaces, statementStarters } from "../ptx/words.table.js";

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly beginCaptures?: Readonly<Record<string, { readonly name: string }>>;
  readonly patterns?: readonly Rule[];
}

export interface Grammar {
  readonly name: string;
  readonly scopeName: string;
  readonly fileTypes: readonly string[];
  readonly patterns: readonly Rule[];
}

const escape = (text: string): string => text.replaceAll(/[.$*+?()[\]{}|^\\]/g, "\\$&");

/** Alternatives sorted longest first, so that no word matches a prefix of a longer one. */
const anyOf = (words: Iterable<string>): string =>
  [...new Set(words)]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map(escape)
    .join("|");

/** A match must not be part of a longer name. */
const ends = "(?![\\w$])";
const begins = "(?<![\\w$%.])";

const directives = [
  ...moduleStarters,
  ...statementStarters,
  ...functionDirectives.keys(),
  ".target",
  ".callprototype",
  ".branchtargets",
  ".calltargets",
  ".ptr",
];

function makeGrammar(): Grammar {
  const storage = [...linkages.keys(), ...spaces.keys(), ".sreg"];
  const others = directives.filter((word) => !storage.includes(word));
  const types = anyOf(dataTypes.map(({ name }) => `.${name}`));
  const special = anyOf(specialRegisters.map(({ name }) => name));
  const numbers = "0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}";
  return {
    name: "PTX",
    scopeName: "source.ptx",
    fileTypes: ["ptx"],
    patterns: [
      { name: "comment.line.double-slash.ptx", match: "//.*$" },
      { name: "comment.block.ptx", begin: "/\\*", end: "\\*/" },
      { name: "meta.preprocessor.line.ptx", match: '^\\s*#\\s*\\d+\\s+".*$' },
      { name: "string.quoted.double.ptx", begin: '"', end: '"|$' },
      {
        match: `(\\.entry|\\.func)${ends}(?:\\s*(\\([^)]*\\)))?\\s+([a-zA-Z_$%][\\w$]*)`,
        captures: {
          1: { name: "keyword.declaration.function.ptx" },
          2: { name: "meta.parameters.ptx" },
          3: { name: "entity.name.function.ptx" },
        },
      },
      { name: "entity.name.label.ptx", match: `^\\s*[a-zA-Z_$%][\\w$]*(?=\\s*:(?!:))` },
      {
        match: `${begins}(${anyOf(opcodeNames())})((?:\\.[\\w:]+)*)${ends}(?!\\s*[:,;\\])]\\s*(?!$))`,
        captures: { 1: { name: "keyword.operator.instruction.ptx" }, 2: { name: "storage.modifier.instruction.ptx" } },
      },
      { name: "keyword.control.directive.ptx", match: `(?<![\\w$])(?:${anyOf(others)})${ends}` },
      { name: "storage.modifier.ptx", match: `(?<![\\w$])(?:${anyOf(storage)})${ends}` },
      { name: "storage.type.ptx", match: `(?<![\\w$])(?:${types})${ends}` },
      { name: "support.variable.special-register.ptx", match: `(?:${special})${ends}(?:\\.[xyzw]${ends})?` },
      { name: "variable.other.register.ptx", match: "%[\\w$]+" },
      { name: "constant.numeric.float.bits.ptx", match: `${begins}(?:${numbers})${ends}` },
      {
        name: "constant.numeric.ptx",
        match: `${begins}(?:0[xX][0-9a-fA-F]+U?|0[bB][01]+U?|\\d+\\.?\\d*(?:[eE][-+]?\\d+)?U?)${ends}`,
      },
      { name: "constant.language.ptx", match: `${begins}WARP_SZ${ends}` },
      { name: "keyword.operator.guard.ptx", match: "@!?" },
      { name: "punctuation.separator.ptx", match: "[,;]" },
    ],
  };
}

/** The file's text. */
export const grammarText = (): string => `${JSON.stringify(makeGrammar(), undefined, 2)}\n`;
