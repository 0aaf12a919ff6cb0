// Checks that a file's declarations are valid PTX, by the rules of object/declared.ts, each name and function type once. Invalid
// declarations are left to the detailed reader, which reports them.

import { HAS_SCOPE, IS_ENTRY, IS_UNIFIED } from "../../file/declaration-codes.js";
import { isVersion } from "../../../isa/targets.table.js";
import { functionDirectives, pointedSpaces, usualRange } from "../../../ptx/words.table.js";
import { unsupported } from "../cursor.js";
import { isUnsizedArray, scopeOfType, sizeOfType, type TypeId, type TypeTable } from "../types.js";
import { KIND, LINKAGE, SPACE, type SymbolRow, type Columns } from "../columns.js";
import { stringOf, type StringId, type StringTable } from "../strings.js";

/**
 * Classes of characters: the first of a name (LETTER; after SIGN, another must follow), the rest of a name (INSIDE), and strings
 * (QUOTABLE).
 */
const LETTER = 1;
const SIGN = 2;
const INSIDE = 4;
const QUOTABLE = 8;

/** Classes of each byte. */
const characters = Uint8Array.from({ length: 256 }, (_, code) => {
  const text = String.fromCharCode(code);
  if (code >= 0x80) return 0;
  const quotable = /[\t-\r -!#-~]/.test(text) ? QUOTABLE : 0;
  if (/[A-Za-z]/.test(text)) return quotable | LETTER | INSIDE;
  if (/[_$]/.test(text)) return quotable | SIGN | INSIDE;
  return quotable | (text === "%" ? SIGN : /\d/.test(text) ? INSIDE : 0);
});

export function checkDeclared(columns: Columns): void {
  const { name, code, flags, typeId, types, sectionOf, firstSymbol, files, strings } = columns;
  const isName = new Uint8Array(strings.count);
  /**
   * For each type, the kinds of symbols for which it was checked: 1 kernels, 2 other functions, 4 variables without further
   * checks.
   */
  const known = new Uint8Array(types.count);
  const end = firstSymbol[files.length]!;
  for (let row = 0; row < end; row++) {
    const text = name[row]!;
    if (isName[text] === 0) {
      checkName(strings, text);
      isName[text] = 1;
    }
    const kind = code[row]! >> 4;
    if ((code[row]! & 15) === LINKAGE.extern && sectionOf[row]! >= 0) unsupported("an .extern symbol is defined");
    if (kind === KIND.function) {
      const isKernel = (flags[row]! & IS_ENTRY) !== 0;
      const bit = isKernel ? 1 : 2;
      if ((known[typeId[row]!]! & bit) !== 0) continue;
      known[typeId[row]!]! |= bit;
      checkFunction(types, typeId[row]!, isKernel);
    } else if (kind === KIND.variable) {
      if ((known[typeId[row]!]! & 4) !== 0 && (flags[row]! & CHECKED_FLAGS) === 0) continue;
      checkVariable(columns, row);
      if (!isUnsizedArray(types, typeId[row]!)) known[typeId[row]!]! |= 4;
    }
  }
  checkModules(columns);
}

function checkVariable(columns: Columns, row: SymbolRow): void {
  const { flags, typeId, types, sectionOf } = columns;
  const own = typeId[row]!;
  if (flags[row]! >> 4 !== SPACE.global && (flags[row]! & (IS_MANAGED | IS_UNIFIED)) !== 0) unsupported("managed");
  if ((flags[row]! & HAS_SCOPE) !== 0) checkName(types.strings, scopeOfType(types, own));
  if (sectionOf[row] !== -1 && sizeOfType(types, own) === 0 && isUnsizedArray(types, own))
    unsupported("an unsized array");
}

const IS_MANAGED = 1;
const CHECKED_FLAGS = IS_MANAGED | IS_UNIFIED | HAS_SCOPE;

function checkName({ bytes, start }: StringTable, text: StringId): void {
  const from = start[text]!;
  const end = start[text + 1]!;
  const first = characters[bytes[from]!]!;
  if (end === from || (first & (LETTER | SIGN)) === 0 || ((first & SIGN) !== 0 && end === from + 1))
    unsupported("a name");
  for (let at = from + 1; at < end; at++) if ((characters[bytes[at]!]! & INSIDE) === 0) unsupported("a name");
}

// ------------------------------------------------------------------------------------------------------------ functions

const IN_REGISTER = 1;
const IS_POINTER = 2;
const HAS_SPACE = 4;
const HAS_ALIGN = 8;

/** Checks a function type; type-rules.ts describes the encoding. */
function checkFunction(types: TypeTable, typeId: TypeId, entry: boolean): void {
  const { words } = types;
  let at = types.start[typeId]!;
  const noreturn = words[at++] === 1;
  const results = words[at]!;
  if (results > 0 ? entry || noreturn : entry && noreturn) unsupported("a kernel with a result");
  for (let list = 0; list < 2; list++)
    for (let left = words[at++]!; left > 0; left--) at = checkParameter(types, at, entry);
  for (let left = words[at++]!; left > 0; left--) at = checkDirective(types, at, entry);
}

/** Checks a parameter; returns its end. */
function checkParameter({ strings, words }: TypeTable, from: number, entry: boolean): number {
  const flags = words[from]!;
  const name = -words[from + 1]! - 1;
  if (!isSink(strings, name)) checkName(strings, name);
  if (entry ? (flags & IN_REGISTER) !== 0 : (flags & IS_POINTER) !== 0) unsupported("a parameter of others");
  let at = from + 6 + words[from + 4]!;
  if ((flags & HAS_SPACE) !== 0 && !pointedSpaces.has(`.${stringOf(strings, -words[at++]! - 1)}`))
    unsupported("a pointer");
  if ((flags & HAS_ALIGN) !== 0 && !isPowerOfTwo(words[at++]!)) unsupported("a pointer");
  return at;
}

const isPowerOfTwo = (value: number): boolean => value > 0 && (value & (value - 1)) === 0;

const isSink = ({ bytes, start }: StringTable, text: StringId): boolean =>
  start[text + 1]! - start[text]! === 1 && bytes[start[text]!] === 0x5f;

/** Checks a directive; returns its end. */
function checkDirective({ strings: texts, words }: TypeTable, from: number, entry: boolean): number {
  const name = stringOf(texts, -words[from]! - 1);
  const values = words[from + 1]!;
  let at = from + 2 + values;
  const strings = words[at++]!;
  for (const end = at + strings; at < end; at++) checkString(texts, -words[at]! - 1);
  if (name === "pragma") return strings > 0 && values === 0 ? at : unsupported("a pragma");
  const known = functionDirectives.get(`.${name}`);
  if (known === undefined || strings > 0 || known.on !== (entry ? "entry" : "func")) unsupported("a directive");
  if (values < known.values[0] || values > known.values[1]) unsupported("a directive");
  const [least, most] = known.range ?? usualRange;
  for (let value = from + 2; value < from + 2 + values; value++)
    if (words[value]! < least || words[value]! > most) unsupported("a directive");
  return at;
}

function checkString({ bytes, start }: StringTable, text: StringId): void {
  for (let at = start[text]!; at < start[text + 1]!; at++)
    if ((characters[bytes[at]!]! & QUOTABLE) === 0) unsupported("a string");
}

// -------------------------------------------------------------------------------------------------------------- modules

/** The words of .target were checked when they were read. */
function checkModules({ strings, modules, moduleStart }: Columns): void {
  for (const start of moduleStart) {
    if (!isVersion(modules[start + 1]!)) unsupported("a version");
    const files = start + 5 + modules[start + 3]!;
    for (let file = 0; file < modules[files]!; file++) checkString(strings, -modules[files + 2 + 2 * file]! - 1);
  }
}
