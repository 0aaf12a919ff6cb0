// Reads a module's declarations without its functions' bodies, and each body on demand: the fast path through correct text. A
// linker that looks for a symbol reads declarations only; the checker takes body after body and drops each, so that a large
// module takes the memory of its results, not of its tokens and tree.
//
// Text with syntax errors has no outline: if a brace or a quote is missing, only recovery.ts can guess the extent of a body, from
// all tokens before it. parse.ts then reads the whole module again; this path reports nothing.

import { createCursor, isAbandoned, restart, type Cursor, type Selected } from "./cursor.js";
import { readInstruction } from "./instruction.js";
import { isAscii } from "./foreign.js";
import { createLexer, forgetTokens, readTokens, type Lexer } from "./lexer.js";
import { parseItems } from "./module.js";
import type { Names } from "./names.js";
import { literalAt, makeInstruction } from "./nodes.js";
import { selectedAt } from "./operand.js";
import type { InstructionRecords } from "./records.js";
import type { Source } from "./source-text.js";
import { parseBlock } from "./statement.js";
import type { TokenTable } from "./token.js";
import type {
  AnyInstruction,
  BlockStatement,
  Expression,
  Instruction,
  Module,
  ModuleItem,
  UnreadBody,
} from "./tree.js";

/** A module without syntax errors outside functions. */
export interface OutlineReader {
  readonly outline: Module<UnreadBody>;
  /** The statements of a body of this outline; undefined if it has a syntax error. */
  readBody(body: UnreadBody): BlockStatement | undefined;
  /** `readBody` with instructions skipped: `instructions` reads them until the next body is read. */
  scanBody(body: UnreadBody): BlockStatement<AnyInstruction> | undefined;
  readonly instructions: InstructionReader;
  /** Replaces an item by an empty one: the items of a large module take as much memory as its text. */
  forget(index: number): void;
}

/** Reads instructions that were skipped. */
export interface InstructionReader {
  /** The tokens of the body. */
  readonly tokens: TokenTable;
  readonly names: Names;
  /** The last instruction that was read. */
  readonly records: InstructionRecords;
  /** Reads the instruction that begins at a token; false if it has a syntax error. */
  read(token: number): boolean;
  /** The node of the last instruction that was read. */
  node(): Instruction;
  /** The name and the selector of a dotted token. */
  selected(token: number): Selected;
  literal(token: number): Expression;
}

/** Memory for reading modules one after the other: a reader is invalid once the next module uses the memory. */
export interface ReadingMemory {
  lexer: Lexer;
}

export const createReadingMemory = (): ReadingMemory => ({ lexer: createLexer(new Uint8Array(0)) });

/** Replaces items that were forgotten. */
const nothing: ModuleItem = { kind: "location", start: 0, end: 0, file: 0, line: 0, column: 0 };

/** The outline of a module; undefined if it has a syntax error. */
export function readOutline(source: Source, memory: ReadingMemory): OutlineReader | undefined {
  const { bytes } = source;
  if (!isAscii(bytes)) return undefined;
  const lexer = createLexer(bytes, undefined, memory.lexer);
  memory.lexer = lexer;
  readTokens(lexer, 0, bytes.length, "skip");
  if (lexer.faults.length > 0) return undefined;
  const cursor = createCursor(source, undefined, lexer);
  const parsed = unlessFaulty(() => parseItems(cursor));
  if (parsed === undefined) return undefined;
  forgetTokens(lexer);
  const items: (typeof parsed)[number][] = [...parsed];
  const readBody = (body: UnreadBody, stepsOver: boolean): BlockStatement<AnyInstruction> | undefined => {
    readTokens(lexer, body.start, body.end, "read");
    restart(cursor, lexer);
    cursor.stepsOver = stepsOver;
    const block = unlessFaulty(() => parseBlock(cursor));
    cursor.stepsOver = false;
    return lexer.faults.length === 0 && block?.end === body.end ? block : undefined;
  };
  return {
    // The lexer has made one token of every body.
    outline: { source, items } as Module<UnreadBody>,
    readBody: (body) => readBody(body, false) as BlockStatement | undefined,
    scanBody: (body) => readBody(body, true),
    instructions: {
      tokens: lexer.tokens,
      names: lexer.names,
      records: cursor.records,
      read: (token) => readAt(cursor, token),
      node: () => makeInstruction(cursor),
      selected: (token) => selectedAt(cursor, token),
      literal: (token) => literalAt(cursor, token),
    },
    forget(index) {
      items[index] = nothing;
    },
  };
}

function readAt(cursor: Cursor, token: number): boolean {
  cursor.index = token;
  try {
    readInstruction(cursor);
    return true;
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return false;
  }
}

function unlessFaulty<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return undefined;
  }
}
