// A module's declarations without its functions' bodies, and each body when somebody asks for it: the fast way through text
// that is right. A linker that looks for a symbol reads declarations only; the checker takes body after body and lets each
// go, so that a large module costs the memory of what is made of it and not that of its tokens and tree.
//
// Text at fault has no outline: where a brace or a quote is missing, what is a body is a guess that only recovery.ts makes
// well, having all tokens before it. Such a module is read again as a whole by parse.ts; this way through it tells nothing.

import { createCursor, isAbandoned, restart } from "./cursor.js";
import { createLexer, isPlain, readTokens } from "./lexer.js";
import { parseItems } from "./module.js";
import { parseBlock } from "./statement.js";
import type { Block, Module, Source, UnreadBody } from "./tree.js";

/** A module without a fault outside functions. */
export interface OutlineReader {
  readonly outline: Module<UnreadBody>;
  /** The statements of a body of this outline; undefined when there is a fault in them. */
  readBody(body: UnreadBody): Block | undefined;
}

/** The outline of a module, or undefined when there is a fault in it. */
export function readOutline(source: Source): OutlineReader | undefined {
  const { bytes } = source;
  if (!isPlain(bytes)) return undefined;
  const lexer = createLexer(bytes);
  readTokens(lexer, 0, bytes.length, "skip");
  if (lexer.faults.length > 0) return undefined;
  const cursor = createCursor(source, undefined, lexer);
  const items = unlessFaulty(() => parseItems(cursor));
  if (items === undefined) return undefined;
  return {
    // The lexer made one token of every body.
    outline: { source, items } as Module<UnreadBody>,
    readBody(body) {
      readTokens(lexer, body.start, body.end, "read");
      restart(cursor, lexer);
      const block = unlessFaulty(() => parseBlock(cursor));
      return lexer.faults.length === 0 && block?.end === body.end ? block : undefined;
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
