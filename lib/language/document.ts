// An open document: its text as bytes, its declarations, and its functions' bodies parsed on demand. A 5 MB text costs one
// pass over its declarations per edit; only the bodies that a request looks into are parsed.
//
// Bytes and UTF-16 units correspond one to one, so that offsets are those of the editor: a unit above ASCII, which PTX has
// nowhere, becomes one byte that is no ASCII either.

import { once } from "../base/once.js";
import { createSink } from "../diag/sink.js";
import { openModule, parseWhole } from "../ptx/parse.js";
import type { Source } from "../ptx/source-text.js";
import type { BlockStatement, FunctionDeclaration, ModuleItem, UnreadBody } from "../ptx/tree.js";

export type Item = ModuleItem<BlockStatement | UnreadBody>;
export type AnyFunction = FunctionDeclaration<BlockStatement | UnreadBody>;

export interface LanguageDocument {
  /** A file name or URI, as the caller calls it. */
  readonly name: string;
  readonly text: string;
  readonly source: Source;
  /** The items outside functions, and the functions; faulty items are absent. */
  readonly items: () => readonly Item[];
  /** A function's statements; those at fault are absent. Undefined of a function without a body. */
  readonly bodyOf: (declaration: AnyFunction) => BlockStatement | undefined;
}

/** Bodies that are kept parsed. */
const MOST_BODIES = 8;

export function openDocument(name: string, text: string): LanguageDocument {
  const source: Source = { name, bytes: encodeText(text) };
  const reader = once(() => openModule(source));
  const items = once((): readonly Item[] => reader()?.outline.items ?? parseWhole(source, createSink()).items);
  const bodies = new Map<number, BlockStatement>();
  return {
    name,
    text,
    source,
    items,
    bodyOf({ start, end, body }) {
      if (body === undefined || body.kind === "block") return body;
      const known = bodies.get(start);
      if (known !== undefined) return known;
      const block = reader()?.readBody(body) ?? parseFaulty(source, start, end);
      if (bodies.size === MOST_BODIES) bodies.delete(bodies.keys().next().value!);
      bodies.set(start, block);
      return block;
    },
  };
}

/** One byte for each UTF-16 unit. */
function encodeText(text: string): Uint8Array {
  if (Buffer.byteLength(text) === text.length) return Buffer.from(text, "latin1");
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = Math.min(text.charCodeAt(i), FOREIGN);
  return bytes;
}

const FOREIGN = 0xbf;
const BLANK = 0x20;

/** The body of a function with syntax errors in it. The text before it is blanked, so that offsets stay. */
function parseFaulty(source: Source, start: number, end: number): BlockStatement {
  const bytes = Buffer.from(source.bytes.subarray(0, end)).fill(BLANK, 0, start);
  const { items } = parseWhole({ name: source.name, bytes }, createSink());
  const found = items.find((item) => item.kind === "function");
  return found?.body ?? { kind: "block", start, end, statements: [] };
}
