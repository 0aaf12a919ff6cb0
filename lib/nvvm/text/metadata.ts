// Metadata: strings, nodes in three dialects, and the specialised nodes of debug information (NVVM IR 1.0 section 6.2;
// LLVM Language Reference, "Metadata").

import type {
  Attachment,
  Metadata,
  MetadataConstant,
  MetadataField,
  MetadataFields,
  MetadataNode,
} from "../ir/metadata.js";
import { fail, failExpected, failWith, tokenRange } from "./fault.js";
import { noFields, useNode } from "./names.js";
import { accept, acceptWord, enter, expect, isWord, leave, noteFirst, since } from "./read.js";
import { advance, shortInteger, stringText, tokenName, tokenText } from "./scanner.js";
import type { Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { isType, readType, typeWords } from "./types.js";
import { readValue } from "./values.js";

/** Reads an operand of a node, with or without dialect A's `metadata`. */
export function readOperand(p: Parser): Metadata {
  const s = p.scanner;
  if (acceptWord(p, "null")) return null;
  if (isWord(p, "metadata")) {
    const range = tokenRange(s);
    advance(s);
    noteFirst(p, "'metadata' before metadata", range);
    if (acceptWord(p, "null")) return null;
    return readMetadata(p);
  }
  return readMetadata(p);
}

/** `!"text"`, `!{…}`, `!7`, `!DILocation(…)`, `distinct !{…}`, or a value with its type. */
export function readMetadata(p: Parser): Metadata {
  const s = p.scanner;
  const { start } = s;
  const distinct = acceptWord(p, "distinct");
  if (s.kind === kind.METADATA) return readSpecialised(p, distinct, start);
  if (s.kind === kind.EXCLAMATION) {
    advance(s);
    if (s.kind === kind.STRING) {
      const text = stringText(s);
      advance(s);
      return { kind: "string", text, ...since(p, start) };
    }
    if (s.kind === kind.INTEGER) return useNumber(p, start);
    if (s.kind === kind.LEFT_BRACE) return readNode(p, distinct, start);
    return failExpected(p, "a number, a string or '{' after '!'");
  }
  if (!distinct && isType(p)) return readValueOperand(p);
  return failExpected(p, "metadata", ["null", "metadata", "distinct", ...typeWords]);
}

function useNumber(p: Parser, start: number): MetadataNode {
  const id = nodeNumber(p);
  return useNode(p, id, start, p.scanner.before);
}

/** The number after `!`, which has been read. */
export function nodeNumber(p: Parser): number {
  const s = p.scanner;
  const short = shortInteger(s);
  const id = short >= 0 ? short : Number(tokenText(s));
  if (!(id >= 0 && id < 2 ** 32))
    fail(p, "the number of a metadata node is out of range", tokenRange(s), { remedy: "write !0 to !4294967295" });
  advance(s);
  return id;
}

function readValueOperand(p: Parser): MetadataConstant {
  const { start } = p.scanner;
  const type = readType(p);
  if (type.kind === "metadata")
    fail(p, "metadata is not a value here", since(p, start), { remedy: "leave out the word metadata" });
  const holder: Open<MetadataConstant> = { kind: "value", value: undefined as never, start, end: start };
  holder.value = readValue(p, type, holder, "value");
  holder.end = p.scanner.before;
  return holder;
}

/** `{ … }` after `!`. */
function readNode(p: Parser, distinct: boolean, start: number): MetadataNode {
  enter(p);
  expect(p, kind.LEFT_BRACE);
  const operands: Metadata[] = [];
  if (p.scanner.kind !== kind.RIGHT_BRACE) {
    do operands.push(readOperand(p));
    while (accept(p, kind.COMMA));
  }
  expect(p, kind.RIGHT_BRACE);
  leave(p);
  return { kind: "node", id: undefined, distinct, tag: undefined, operands, fields: noFields, ...since(p, start) };
}

/** `!DILocation(line: 1, scope: !2)`, `!DIExpression(DW_OP_deref)`. */
function readSpecialised(p: Parser, distinct: boolean, start: number): MetadataNode {
  const s = p.scanner;
  const tag = tokenName(s);
  advance(s);
  if (s.kind !== kind.LEFT_PAREN) failExpected(p, `'(' and the fields of !${tag}`);
  enter(p);
  advance(s);
  const fields = s.kind === kind.RIGHT_PAREN ? noFields : readFields(p, tag);
  expect(p, kind.RIGHT_PAREN);
  leave(p);
  const end = s.before;
  return { kind: "node", id: undefined, distinct, tag, operands: noOperands, fields, start, end };
}

const noOperands: readonly Metadata[] = [];

/** Number of names of a node up to which comparing them is faster than a set. */
const MAX_COMPARED = 32;

/** `line: 1, scope: !2`. A node whose names begin those of the last node with the tag shares that list. */
function readFields(p: Parser, tag: string): MetadataFields {
  const s = p.scanner;
  const shared = p.module.fieldNames.get(tag) ?? [];
  let names = shared as string[];
  const values: MetadataField[] = [];
  let seen: Set<string> | undefined;
  do {
    const at = values.length;
    const isNamed = s.kind === kind.LABEL;
    const name = isNamed ? tokenName(s) : String(at);
    if (names !== shared || shared[at] !== name) {
      if (names === shared) names = shared.slice(0, at);
      if (at >= MAX_COMPARED) seen ??= new Set(names);
      if (isNamed && (seen?.has(name) ?? names.includes(name)))
        failWith(p, "nvvm-redefined", `field '${name}' is given twice`, tokenRange(s));
      names.push(name);
      seen?.add(name);
    }
    if (isNamed) advance(s);
    values.push(readField(p));
  } while (accept(p, kind.COMMA));
  if (names !== shared) p.module.fieldNames.set(tag, names);
  return { names, values: values.slice() };
}

function readField(p: Parser): MetadataField {
  const s = p.scanner;
  const { start } = s;
  switch (s.kind) {
    case kind.INTEGER: {
      if (s.end - s.start > 40) fail(p, "the integer is too long", tokenRange(s), { remedy: "write a smaller one" });
      const short = shortInteger(s);
      const value = BigInt(short >= 0 ? short : tokenText(s));
      advance(s);
      return value;
    }
    case kind.STRING: {
      const text = stringText(s);
      advance(s);
      return { kind: "string", text, ...since(p, start) };
    }
    case kind.LEFT_BRACE:
      return readNode(p, false, start);
    case kind.WORD: {
      if (acceptWord(p, "null")) return null;
      if (isType(p)) return readValueOperand(p);
      const words = [];
      do {
        if (s.kind === kind.INTEGER) words.push(tokenText(s));
        else if (s.kind === kind.WORD) words.push(tokenName(s));
        else failExpected(p, "a word");
        advance(s);
      } while (accept(p, kind.BAR));
      return { kind: "word", word: words.join(" | ") };
    }
    default:
      return readMetadata(p);
  }
}

/** `!dbg !12`; if an instruction has several, others follow after commas. */
export function readAttachment(p: Parser): Attachment {
  const s = p.scanner;
  if (s.kind !== kind.METADATA) failExpected(p, "a metadata name");
  const name = tokenName(s);
  advance(s);
  return { name, node: readMetadata(p) };
}
