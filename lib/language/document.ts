// An open document: its text as bytes, its declarations, and its functions' bodies parsed on demand. A 5 MB text costs one pass
// over its declarations per edit; only the bodies that a request needs are parsed.
//
// Bytes and UTF-16 units correspond one to one, so that offsets equal the editor's. A unit above ASCII, which is never valid in
// PTX, becomes one byte above ASCII.

import { once } from "../base/once.js";
import { createSink } from "../diag/sink.js";
import { openModule, parseWhole } from "../ptx/parse.js";
import type { Source } from "../ptx/source-text.js";
import type { BlockStatement, FunctionDeclaration, ModuleItem, UnreadBody } from "../ptx/tree.js";

export type Item = ModuleItem<BlockStatement | UnreadBody>;
export type AnyFunction = FunctionDeclaration<BlockStatement | UnreadBody>;

export interface LanguageDocument {
  /** A file name or URI, as the caller passed it. */
  readonly name: string;
  readonly text: string;
  readonly source: Source;
  /** The functions, and the items outside functions; items with syntax errors are omitted. */
  readonly items: () => readonly Item[];
  /** The statements of a function's body without those that have syntax errors; undefined for a function without a body. */
  readonly bodyOf: (declaration: AnyFunction) => BlockStatement | undefined;
}

/** Number of parsed bodies that are cached. */
const MAX_BODIES = 8;

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
      if (bodies.size === MAX_BODIES) bodies.delete(bodies.keys().next().value!);
      bodies.set(start, block);
      return block;
    },
  };
}

/** Encodes each UTF-16 unit as one byte. */
function encodeText(text: string): Uint8Array {
  if (Buffer.byteLength(text) === text.length) return Buffer.from(text, "latin1");
  const bytes = Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = Math.min(text.charCodeAt(i), FOREIGN);
  return bytes;
}

const FOREIGN = 0xbf;
const BLANK = 0x20;

/** Parses the body of a function that has syntax errors. The text before it is blanked, so that offsets stay. */
function parseFaulty(source: Source, start: number, end: number): BlockStatement {
  const bytes = Buffer.from(source.bytes.subarray(0, end)).fill(BLANK, 0, start);
  const { items } = parseWhole({ name: source.name, bytes }, createSink());
  const found = items.find((item) => item.kind === "function");
  return found?.body ?? { kind: "block", start, end, statements: [] };
}
