// Instructions of the ordinary shapes, told by the kinds of their tokens alone: registers, names with an offset, literals,
// addresses, vectors of registers, calls with names, which is nearly all that compilers write. The checker follows most of them by a
// precedent, straight from the tokens, so that no tree is made of them; where it does not, instruction.ts reads them again.
// What is no ordinary shape is read there at once, and what is at fault too: whatever is taken here, instruction.ts takes as
// an instruction of the same operands, or tells what is wrong with it.

import type { Cursor } from "./cursor.js";
import * as kind from "./token.js";
import type { BriefInstructions } from "./tree.js";

/** What may come next. */
const REFUSED = 0;
const ENDED = 1;
const FIRST = 2;
const OPERAND = 3;
const FIRST_NAMED = 4;
const NAMED = 5;
const HALVED = 6;
const OFFSET = 7;
const NEGATIVE = 8;
const NEGATED = 9;
const COMPLETE = 10;
const BASE = 11;
const BASED = 12;
const DISPLACEMENT = 13;
const DISPLACED_BACK = 14;
const DISPLACED = 15;
const ELEMENT = 16;
const ELEMENTED = 17;
// Of a call: its results, the function, its arguments, a prototype.
const CALL = 18;
const RESULTS = 19;
const RESULT = 20;
const RESULTED = 21;
const RETURNED = 22;
const CALLEE = 23;
const CALLED = 24;
const PASSING = 25;
const ARGUMENTS = 26;
const ARGUMENT = 27;
const PASSED = 28;
const COMPLETED = 29;
const PROTOTYPE = 30;
const NAMING = 31;
const STATES = 32;

const literals = [kind.INTEGER, kind.FLOAT, kind.FLOAT32_BITS, kind.FLOAT64_BITS] as const;
const isOperand = [
  ...literals.map((one) => [one, COMPLETE] as const),
  [kind.MINUS, NEGATED],
  [kind.BRACKET_OPEN, BASE],
  [kind.BRACE_OPEN, ELEMENT],
] as const;
const isComplete = [
  [kind.COMMA, OPERAND],
  [kind.SEMICOLON, ENDED],
] as const;

/** One of a list in parentheses. */
const listed = (next: number) =>
  [
    [kind.WORD, next],
    [kind.SINK, next],
  ] as const;

/** From what was to come, by the kind of the token that is there, to what may come then. */
const rows: Readonly<Record<number, readonly (readonly [token: number, next: number])[]>> = {
  [FIRST]: [...isOperand, [kind.WORD, FIRST_NAMED], [kind.SINK, COMPLETE], [kind.SEMICOLON, ENDED]],
  // `%tid.x`
  [OPERAND]: [...isOperand, [kind.WORD, NAMED], [kind.DOTTED, COMPLETE]],
  // `d|p`
  [FIRST_NAMED]: [...isComplete, [kind.PLUS, OFFSET], [kind.OR, HALVED]],
  [NAMED]: [...isComplete, [kind.PLUS, OFFSET]],
  [HALVED]: [
    [kind.WORD, COMPLETE],
    [kind.SINK, COMPLETE],
  ],
  [OFFSET]: [
    [kind.INTEGER, COMPLETE],
    [kind.MINUS, NEGATIVE],
  ],
  [NEGATIVE]: [[kind.INTEGER, COMPLETE]],
  [NEGATED]: [
    [kind.INTEGER, COMPLETE],
    [kind.FLOAT, COMPLETE],
  ],
  [COMPLETE]: isComplete,
  [BASE]: [[kind.WORD, BASED]],
  [BASED]: [
    [kind.BRACKET_CLOSE, COMPLETE],
    [kind.PLUS, DISPLACEMENT],
  ],
  [DISPLACEMENT]: [
    [kind.INTEGER, DISPLACED],
    [kind.MINUS, DISPLACED_BACK],
  ],
  [DISPLACED_BACK]: [[kind.INTEGER, DISPLACED]],
  [DISPLACED]: [[kind.BRACKET_CLOSE, COMPLETE]],
  [ELEMENT]: [[kind.WORD, ELEMENTED]],
  [ELEMENTED]: [
    [kind.COMMA, ELEMENT],
    [kind.BRACE_CLOSE, COMPLETE],
  ],
  [CALL]: [
    [kind.PAREN_OPEN, RESULTS],
    [kind.WORD, CALLED],
  ],
  [RESULTS]: [...listed(RESULTED), [kind.PAREN_CLOSE, RETURNED]],
  [RESULT]: listed(RESULTED),
  [RESULTED]: [
    [kind.COMMA, RESULT],
    [kind.PAREN_CLOSE, RETURNED],
  ],
  [RETURNED]: [[kind.COMMA, CALLEE]],
  [CALLEE]: [[kind.WORD, CALLED]],
  [CALLED]: [
    [kind.COMMA, PASSING],
    [kind.SEMICOLON, ENDED],
  ],
  [PASSING]: [
    [kind.PAREN_OPEN, ARGUMENTS],
    [kind.WORD, COMPLETED],
  ],
  [ARGUMENTS]: [...listed(PASSED), [kind.PAREN_CLOSE, PROTOTYPE]],
  [ARGUMENT]: listed(PASSED),
  [PASSED]: [
    [kind.COMMA, ARGUMENT],
    [kind.PAREN_CLOSE, PROTOTYPE],
  ],
  [PROTOTYPE]: [
    [kind.COMMA, NAMING],
    [kind.SEMICOLON, ENDED],
  ],
  [NAMING]: [[kind.WORD, COMPLETED]],
  [COMPLETED]: [[kind.SEMICOLON, ENDED]],
};

/** Kinds of tokens are below. */
const WIDTH = 64;

const table = new Uint8Array(STATES * WIDTH);
for (const [from, steps] of Object.entries(rows))
  for (const [token, next] of steps) table[Number(from) * WIDTH + token] = next;

const DOT = 0x2e;
const LOWER_A = 0x61;
const LOWER_C = 0x63;
const LOWER_L = 0x6c;
const LOWER_T = 0x74;

/** Steps over the instructions of ordinary shapes that come next; undefined when none does. */
export function readBriefs(cursor: Cursor): BriefInstructions | undefined {
  const { starts, ends, index: token } = cursor;
  let count = 0;
  for (let end = briefEnd(cursor, token); end >= 0; end = briefEnd(cursor, end)) {
    cursor.index = end;
    count++;
  }
  return count === 0 ? undefined : { kind: "brief", start: starts[token]!, end: ends[cursor.index - 1]!, token, count };
}

/** The token behind an instruction of an ordinary shape that begins at a token; -1 when none does. */
function briefEnd({ kinds, starts, ends, names }: Cursor, token: number): number {
  let at = token;
  if (kinds[at] === kind.AT) {
    at++;
    if (kinds[at] === kind.NOT) at++;
    if (kinds[at] !== kind.WORD) return -1;
    at++;
  }
  const opcode = kinds[at];
  if (opcode !== kind.WORD && opcode !== kind.DOTTED) return -1;
  const { bytes } = names;
  let state = bytes[starts[at]!] === LOWER_C && isCall(bytes, starts[at]!, ends[at]!) ? CALL : FIRST;
  at++;
  // Not `ld.const[2]`, nor some others that look like it.
  if (kinds[at] === kind.BRACKET_OPEN && bytes[ends[at - 1]! - 1] === LOWER_T) return -1;
  while (state > ENDED) state = table[state * WIDTH + kinds[at++]!]!;
  return state === REFUSED ? -1 : at;
}

/** `call` and `call.uni`, whose operands have shapes of their own. */
function isCall(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start >= 4 &&
    bytes[start + 1] === LOWER_A &&
    bytes[start + 2] === LOWER_L &&
    bytes[start + 3] === LOWER_L &&
    (end - start === 4 || bytes[start + 4] === DOT)
  );
}

/** The token behind the instruction of an ordinary shape that begins at a token. */
export function briefBehind(kinds: Uint8Array, first: number): number {
  let at = first;
  while (kinds[at] !== kind.SEMICOLON) at++;
  return at + 1;
}

/** Where the opcode of an instruction of an ordinary shape is. */
export function briefOpcode(kinds: Uint8Array, first: number): number {
  if (kinds[first] !== kind.AT) return first;
  return kinds[first + 1] === kind.NOT ? first + 3 : first + 2;
}
