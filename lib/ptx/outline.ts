// A module's declarations without its functions' bodies, and each body when somebody asks for it: the fast way through text
// that is right. A linker that looks for a symbol reads declarations only; the checker takes body after body and lets each
// go, so that a large module costs the memory of what is made of it and not that of its tokens and tree.
//
// Text at fault has no outline: where a brace or a quote is missing, what is a body is a guess that only recovery.ts makes
// well, having all tokens before it. Such a module is read again as a whole by parse.ts; this way through it tells nothing.

import { createCursor, isAbandoned, restart, type Cursor } from "./cursor.js";
import { parseExpression } from "./expression.js";
import { parseInstruction } from "./instruction.js";
import { isPlain } from "./foreign.js";
import { createLexer, forgetTokens, readTokens, type Lexer } from "./lexer.js";
import { parseItems } from "./module.js";
import type { Names } from "./names.js";
import { parseBlock } from "./statement.js";
import type { TokenTable } from "./token.js";
import type { AnyInstruction, Block, Expression, Instruction, Module, ModuleItem, Source, UnreadBody } from "./tree.js";

/** A module without a fault outside functions. */
export interface OutlineReader {
  readonly outline: Module<UnreadBody>;
  /** The statements of a body of this outline; undefined when there is a fault in them. */
  readBody(body: UnreadBody): Block | undefined;
  /** The same, with instructions of ordinary shapes stepped over: `brief` tells more of them, until the next body is read. */
  scanBody(body: UnreadBody): Block<AnyInstruction> | undefined;
  readonly brief: BriefReader;
  /** Forgets an item, which is an empty one from then on: those of a large module take as much memory as its text. */
  forget(index: number): void;
}

/** What there is to instructions that were stepped over. */
export interface BriefReader {
  /** The tokens of the body. */
  readonly tokens: TokenTable;
  readonly names: Names;
  /** All of the instruction that begins at a token; undefined when it is at fault. */
  instruction(token: number): Instruction | undefined;
  /** A literal, perhaps with a minus sign, that begins at a token; undefined when it is at fault. */
  literal(token: number): Expression | undefined;
}

/** Memory for reading modules one after the other: the reader of one is of no use once the next has one. */
export interface ReadingMemory {
  lexer: Lexer;
}

/**
 * A lexer of nothing, after another has read every kind of token in both ways: what V8 compiles knows what was met, and is thrown
 * away for what was not, as a version number before a module's first function, or the fields of a second table.
 */
export function createReadingMemory(): ReadingMemory {
  const first = createLexer(everyToken);
  for (const bodies of ["skip", "read", "skip", "read"] as const) readTokens(first, 0, everyToken.length, bodies);
  return { lexer: createLexer(new Uint8Array(0)) };
}

const everyToken = Buffer.from(
  ".a 8.5 .5 (.b::c %d<9>) { // e\n @!p f.g.u32 %tid.x, {_, h}, [i+-4]; call j::k, (l), 0x1F; 0f3F800000 /* */ m|q << 2 } % { }",
);

/** In the place of what was forgotten. */
const nothing: ModuleItem = { kind: "location", start: 0, end: 0, file: 0, line: 0, column: 0 };

/** The outline of a module, or undefined when there is a fault in it. */
export function readOutline(source: Source, memory: ReadingMemory): OutlineReader | undefined {
  const { bytes } = source;
  if (!isPlain(bytes)) return undefined;
  const lexer = createLexer(bytes, undefined, memory.lexer);
  memory.lexer = lexer;
  readTokens(lexer, 0, bytes.length, "skip");
  if (lexer.faults.length > 0) return undefined;
  const cursor = createCursor(source, undefined, lexer);
  const parsed = unlessFaulty(() => parseItems(cursor));
  if (parsed === undefined) return undefined;
  forgetTokens(lexer);
  const items: (typeof parsed)[number][] = [...parsed];
  const read = (body: UnreadBody, brief: boolean): Block<AnyInstruction> | undefined => {
    readTokens(lexer, body.start, body.end, "read");
    restart(cursor, lexer);
    cursor.brief = brief;
    const block = unlessFaulty(() => parseBlock(cursor));
    cursor.brief = false;
    return lexer.faults.length === 0 && block?.end === body.end ? block : undefined;
  };
  const at = <T>(token: number, parse: (cursor: Cursor) => T): T | undefined => {
    cursor.index = token;
    return unlessFaulty(() => parse(cursor));
  };
  return {
    // The lexer made one token of every body.
    outline: { source, items } as Module<UnreadBody>,
    readBody: (body) => read(body, false) as Block | undefined,
    scanBody: (body) => read(body, true),
    brief: {
      tokens: lexer.tokens,
      names: lexer.names,
      instruction: (token) => at(token, parseInstruction),
      literal: (token) => at(token, parseExpression),
    },
    forget(index) {
      items[index] = nothing;
    },
  };
}

function unlessFaulty<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return undefined;
  }
}
