// The kinds of tokens, as small integers, so that a token table consists of typed arrays and no object is created per token.
// Constants instead of an object: the engine folds them into comparisons of the lexer and parser.

export const END = 0;
/** A name without a dot: `%r1`, `foo`, `$L1`; also an opcode without modifiers. */
export const WORD = 1;
/** A name and further words after dots, without white space: `ld.global.u32`, `%tid.x`. */
export const DOTTED = 2;
/** A word that begins with a dot: `.global`, `.L1::no_allocate`. */
export const DIRECTIVE = 3;
export const INTEGER = 4;
/** Decimal floating point. */
export const FLOAT = 5;
/** `0f` and eight hexadecimal digits. */
export const FLOAT32_BITS = 6;
/** `0d` and sixteen hexadecimal digits. */
export const FLOAT64_BITS = 7;
/** A number directly followed by letters: `09`, `0xG`, `5abc`. */
export const BAD_NUMBER = 8;
export const STRING = 9;
/** `_`. */
export const SINK = 10;
/** `@@DWARF`, the debug data of PTX ISA 1.x. */
export const DWARF_LINE = 11;
/** Bytes that begin no token. */
export const INVALID_BYTES = 12;

export const SEMICOLON = 20;
export const COMMA = 21;
export const COLON = 22;
export const BRACE_OPEN = 23;
export const BRACE_CLOSE = 24;
export const BRACKET_OPEN = 25;
export const BRACKET_CLOSE = 26;
export const PAREN_OPEN = 27;
export const PAREN_CLOSE = 28;
export const AT = 29;
export const EQUALS = 30;
export const QUESTION = 31;
export const NOT = 32;
export const TILDE = 33;
export const PLUS = 34;
export const MINUS = 35;
export const STAR = 36;
export const DIVIDE = 37;
export const PERCENT = 38;
export const SHIFT_LEFT = 39;
export const SHIFT_RIGHT = 40;
export const LESS = 41;
export const LESS_EQUAL = 42;
export const GREATER = 43;
export const GREATER_EQUAL = 44;
export const EQUAL = 45;
export const NOT_EQUAL = 46;
export const AND = 47;
export const XOR = 48;
export const OR = 49;
export const AND_AND = 50;
export const OR_OR = 51;
/** A skipped function body or section data, from brace to brace. */
export const BODY = 52;

/** Punctuation with its kinds. `/` and `%` are only here for their spelling; the lexer recognises them separately. */
export const punctuation: ReadonlyMap<string, number> = new Map([
  [";", SEMICOLON],
  [",", COMMA],
  [":", COLON],
  ["{", BRACE_OPEN],
  ["}", BRACE_CLOSE],
  ["[", BRACKET_OPEN],
  ["]", BRACKET_CLOSE],
  ["(", PAREN_OPEN],
  [")", PAREN_CLOSE],
  ["@", AT],
  ["=", EQUALS],
  ["?", QUESTION],
  ["!", NOT],
  ["~", TILDE],
  ["+", PLUS],
  ["-", MINUS],
  ["*", STAR],
  ["/", DIVIDE],
  ["%", PERCENT],
  ["<<", SHIFT_LEFT],
  [">>", SHIFT_RIGHT],
  ["<", LESS],
  ["<=", LESS_EQUAL],
  [">", GREATER],
  [">=", GREATER_EQUAL],
  ["==", EQUAL],
  ["!=", NOT_EQUAL],
  ["&", AND],
  ["^", XOR],
  ["|", OR],
  ["&&", AND_AND],
  ["||", OR_OR],
]);

/**
 * Tokens in the order of the text, with an END token last: index `i` is a token of kind `kinds[i]` over the bytes [starts[i],
 * ends[i]). `names[i]` is the id of a WORD, DOTTED or DIRECTIVE in the name table; else 0. Filled by the lexer; if bodies are
 * read separately, once for each.
 */
export interface TokenTable {
  count: number;
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  names: Int32Array;
}
