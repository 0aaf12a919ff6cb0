// Kinds of tokens of IR text (LLVM Language Reference, "Identifiers"; the grammar has no page for its tokens).

const numbers = {
  END: 0,
  /** Bytes that do not start a token, an unfinished string, a number out of range. */
  INVALID: 1,
  /** `define`, `i32`, `add`. */
  WORD: 2,
  /** `12`, `-3`. */
  INTEGER: 3,
  /** `1.5e-3`. */
  DECIMAL: 4,
  /** `0x3FF0000000000000`, `0xH3C00`. */
  HEXADECIMAL: 5,
  /** `u0xFF`, `s0xFF`. */
  HEX_INTEGER: 6,
  STRING: 7,
  /** `c"…"`. */
  BYTES: 8,
  /** `entry:`, `"a b":`, and the field names of metadata. */
  LABEL: 9,
  /** `7:`. */
  LABEL_NUMBER: 10,
  GLOBAL: 11,
  GLOBAL_NUMBER: 12,
  LOCAL: 13,
  LOCAL_NUMBER: 14,
  /** `!dbg`, `!DILocation`. */
  METADATA: 15,
  /** `$name`. */
  COMDAT: 16,
  /** `#0`. */
  GROUP: 17,
  /** `#dbg_value`. */
  RECORD: 18,
  /** `^0`. */
  SUMMARY: 19,
  ELLIPSIS: 20,
  EQUAL: 21,
  COMMA: 22,
  STAR: 23,
  LEFT_PAREN: 24,
  RIGHT_PAREN: 25,
  LEFT_BRACKET: 26,
  RIGHT_BRACKET: 27,
  LEFT_BRACE: 28,
  RIGHT_BRACE: 29,
  LESS: 30,
  GREATER: 31,
  EXCLAMATION: 32,
  BAR: 33,
  COLON: 34,
} as const;

/**
 * The kinds as numbers, not each as a literal type: TypeScript would narrow the scanner's kind to the one it was last compared
 * with, although reading the next token changes it.
 */
export const kind: { readonly [Name in keyof typeof numbers]: number } = numbers;

/** One of `kind`. */
export type TokenKind = number;

/** The kind of each byte that is a token by itself; 0 for others. */
export const single = new Uint8Array(256);
for (const [text, value] of [
  ["=", kind.EQUAL],
  [",", kind.COMMA],
  ["*", kind.STAR],
  ["(", kind.LEFT_PAREN],
  [")", kind.RIGHT_PAREN],
  ["[", kind.LEFT_BRACKET],
  ["]", kind.RIGHT_BRACKET],
  ["{", kind.LEFT_BRACE],
  ["}", kind.RIGHT_BRACE],
  ["<", kind.LESS],
  [">", kind.GREATER],
  ["|", kind.BAR],
  [":", kind.COLON],
] as const)
  single[text.charCodeAt(0)] = value;

/** Names of expected kinds in messages. */
export const kindText: Readonly<Record<TokenKind, string>> = {
  [kind.INTEGER]: "an integer",
  [kind.STRING]: "a string",
  [kind.GLOBAL]: "a name that begins with '@'",
  [kind.LOCAL]: "a name that begins with '%'",
  [kind.METADATA]: "a metadata name",
  [kind.EQUAL]: "'='",
  [kind.COMMA]: "','",
  [kind.STAR]: "'*'",
  [kind.LEFT_PAREN]: "'('",
  [kind.RIGHT_PAREN]: "')'",
  [kind.LEFT_BRACKET]: "'['",
  [kind.RIGHT_BRACKET]: "']'",
  [kind.LEFT_BRACE]: "'{'",
  [kind.RIGHT_BRACE]: "'}'",
  [kind.LESS]: "'<'",
  [kind.GREATER]: "'>'",
  [kind.EXCLAMATION]: "'!'",
  [kind.COLON]: "':'",
};
