// The statements of a module. After a fault in one, reading continues with the next.

import type { Ranged } from "../../ptx/source-text.js";
import type { Alias, Function, GlobalValue, GlobalVariable, LazyBody } from "../ir/global.js";
import { defineStruct, type StructType, type Type } from "../ir/type.js";
import type { NamedMetadata } from "../ir/metadata.js";
import type { Module, PlacedText } from "../ir/module.js";
import { isFull } from "../error-limit.js";
import { addAttribute } from "./attributes.js";
import { fail, failExpected, failWith, report, reportFault, SyntaxFault } from "./fault.js";
import { readFunction, type ReadBody } from "./function.js";
import { readNamedGlobal, statementWords } from "./global.js";
import { nodeNumber, readMetadata } from "./metadata.js";
import { checkNesting } from "./nesting.js";
import { checkGlobals, checkSlots, defineNode, typeName, useComdat, useGroup } from "./names.js";
import { accept, acceptWord, expect, expectWord, isWord, noteFirst, readString, since, skipNested } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import { beginsFunction, bodyEnd, nextStatement } from "./skip.js";
import type { Open, Parser } from "./state.js";
import { kind, type TokenKind } from "./token.js";
import { readFields, readType, typeKey } from "./types.js";
import { hasManyUndefined, reportUndefinable } from "./undefined-types.js";
import { skipUseList } from "./use-list.js";
import { attributeForms } from "./words.table.js";

/** The parts of a module other than global values. */
export interface Statements {
  sourceFilename: string | undefined;
  dataLayout: PlacedText | undefined;
  triple: PlacedText | undefined;
  readonly moduleAssembly: PlacedText[];
  readonly namedMetadata: Map<string, NamedMetadata>;
}

/** Creates the body of a function from its range. */
export type MakeBody = (range: Ranged, ...rest: Parameters<ReadBody>) => LazyBody;

/** Reads all statements, and then resolves what requires all names. */
export function readStatements(p: Parser, makeBody: MakeBody): Statements {
  const s = p.scanner;
  const made: Statements = {
    sourceFilename: undefined,
    dataLayout: undefined,
    triple: undefined,
    moduleAssembly: [],
    namedMetadata: new Map(),
  };
  const readBody: ReadBody = (...rest) => {
    const { start } = s;
    const end = bodyEnd(s.bytes, start);
    s.end = end;
    advance(s);
    return makeBody({ start, end }, ...rest);
  };
  advance(s);
  while (s.kind !== kind.END && !isFull(p.sink)) {
    if (hasManyUndefined(p)) reportUndefinable(p);
    const { start } = s;
    const isDefinition = isWord(p, "define");
    try {
      readStatement(p, made, readBody);
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      reportFault(p, error);
      p.depth = 0;
      recover(p, start, isDefinition);
    }
  }
  for (const work of p.module.later.reverse()) work();
  checkStructs(p);
  checkGlobals(p);
  checkSlots(p);
  return made;
}

/** Refuses structures that nest too deeply. */
function checkStructs(p: Parser): void {
  try {
    for (const [, { value, range }] of p.module.structs.entries()) checkNesting(p, value, range);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    reportFault(p, error);
  }
}

/** Continues at the next statement; a function's body does not count. */
function recover(p: Parser, start: number, isDefinition: boolean): void {
  const s = p.scanner;
  const from = Math.max(start, s.start - 1);
  let at = nextStatement(s.bytes, from);
  const brace = isDefinition ? braceOf(s.bytes, start) : -1;
  if (brace >= 0) at = bodyEnd(s.bytes, brace);
  s.end = Math.max(at, s.start === start ? s.end : at);
  advance(s);
}

/**
 * Offset of the brace at the end of a line that starts the body of the function at `from`; -1 if another function comes first.
 */
function braceOf(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (at > from && beginsFunction(bytes, at)) return -1;
    at = bytes.indexOf(LINE_FEED, at);
    if (at < 0) return -1;
    if (bytes[at - 1] === LEFT_BRACE) return at - 1;
  }
  return -1;
}

const LINE_FEED = 10;
const LEFT_BRACE = 123;

/** The construct of forms.table.ts that a token of that kind starts; for words, by the word. */
const constructs: ReadonlyMap<TokenKind, string> = new Map([
  [kind.GLOBAL, "variable"],
  [kind.GLOBAL_NUMBER, "variable"],
  [kind.LOCAL, "type"],
  [kind.LOCAL_NUMBER, "type"],
  [kind.METADATA, "metadata list"],
  [kind.EXCLAMATION, "metadata node"],
  [kind.COMDAT, "comdat"],
  [kind.SUMMARY, "summary"],
]);

function readStatement(p: Parser, made: Statements, readBody: ReadBody): void {
  const s = p.scanner;
  p.from = s.start;
  p.construct = s.kind === kind.WORD ? tokenName(s) : (constructs.get(s.kind) ?? "statement");
  switch (s.kind) {
    case kind.GLOBAL: {
      const name = tokenName(s);
      const range = { start: s.start, end: s.end };
      advance(s);
      expect(p, kind.EQUAL, "'global', 'constant' or 'alias'");
      return readNamedGlobal(p, name, range);
    }
    case kind.GLOBAL_NUMBER: {
      const range = { start: s.start, end: s.end };
      const { id } = s;
      if (id < p.module.nextGlobal)
        fail(p, `the next unnamed global is @${p.module.nextGlobal}`, range, { remedy: "use that number, or a name" });
      advance(s);
      expect(p, kind.EQUAL, "'global', 'constant' or 'alias'");
      readNamedGlobal(p, String(id), range);
      p.module.nextGlobal = id + 1;
      return;
    }
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
      return readTypeName(p);
    case kind.METADATA:
      return readNamedMetadata(p, made);
    case kind.EXCLAMATION:
      return readNumberedNode(p);
    case kind.COMDAT:
      return readComdatDefinition(p);
    case kind.SUMMARY:
      return skipSummary(p);
    case kind.WORD:
      return readWordStatement(p, made, readBody);
    default:
      return failExpected(p, "a definition or declaration");
  }
}

function readWordStatement(p: Parser, made: Statements, readBody: ReadBody): void {
  const s = p.scanner;
  switch (tokenName(s)) {
    case "define":
      return readFunction(p, true, readBody);
    case "declare":
      return readFunction(p, false, readBody);
    case "target":
      return readTarget(p, made);
    case "source_filename":
      advance(s);
      expect(p, kind.EQUAL);
      made.sourceFilename = readString(p);
      return;
    case "module": {
      const { start } = s;
      advance(s);
      expectWord(p, "asm");
      const text = readString(p);
      made.moduleAssembly.push({ text, ...since(p, start) });
      return;
    }
    case "attributes":
      return readGroup(p);
    case "uselistorder":
    case "uselistorder_bb":
      return skipUseList(p);
    case "deplibs":
      advance(s);
      expect(p, kind.EQUAL);
      expect(p, kind.LEFT_BRACKET);
      return skipNested(p, 1);
    default:
      // An unnamed global without even its number.
      if (/^(?:external|internal|private|weak|linkonce|common|global|constant|alias)/.test(tokenName(s))) {
        p.construct = "variable";
        return readNamedGlobal(p, String(p.module.nextGlobal++), { start: s.start, end: s.start });
      }
      p.construct = "statement";
      return failExpected(p, "a definition or declaration", [...statementWords]);
  }
}

function readTarget(p: Parser, made: Statements): void {
  const { start } = p.scanner;
  advance(p.scanner);
  const isTriple = acceptWord(p, "triple");
  if (!isTriple && !acceptWord(p, "datalayout")) failExpected(p, "'triple' or 'datalayout'", ["triple", "datalayout"]);
  expect(p, kind.EQUAL, "a string");
  const text = readString(p);
  if (isTriple) made.triple = { text, ...since(p, start) };
  else made.dataLayout = { text, ...since(p, start) };
}

/** `%name = type { … }`, `type opaque`, or an alias of a type. */
function readTypeName(p: Parser): void {
  const s = p.scanner;
  const { start } = s;
  const key = typeKey(p);
  const range = { start, end: s.end };
  advance(s);
  expect(p, kind.EQUAL, "'type'");
  expectWord(p, "type");
  const { structs, typeNames } = p.module;
  if (typeNames.has(key) || structs.get(key)?.defined === true)
    failWith(p, "nvvm-redefined", `type %${typeName(p, key)} is defined twice`, range);
  const packed = s.kind === kind.LESS && isBraceNext(p);
  if (s.kind !== kind.LEFT_BRACE && !packed && !isWord(p, "opaque")) {
    if (structs.get(key) !== undefined)
      fail(p, `%${typeName(p, key)} is used before it is defined, and is not a structure`, range, {
        remedy: "define it first",
      });
    const type: Type = readType(p);
    checkNesting(p, type, range);
    typeNames.set(key, type);
    return;
  }
  let slot = structs.get(key);
  if (slot === undefined) {
    const value = p.types.addStruct(typeName(p, key));
    structs.set(key, (slot = { value, defined: false, firstUse: undefined, range }));
  } else p.module.undefinedTypes--;
  slot.defined = true;
  slot.range = range;
  if (acceptWord(p, "opaque")) return;
  if (packed) advance(s);
  const fields = readFields(p);
  if (packed) expect(p, kind.GREATER);
  defineStruct(slot.value as StructType, fields, packed);
}

function isBraceNext({ scanner }: Parser): boolean {
  const ahead = { ...scanner };
  advance(ahead);
  return ahead.kind === kind.LEFT_BRACE;
}

/** `!name = !{!0, !1}`. */
function readNamedMetadata(p: Parser, made: Statements): void {
  const s = p.scanner;
  const { start } = s;
  const name = tokenName(s);
  advance(s);
  expect(p, kind.EQUAL, "a list of nodes");
  expect(p, kind.EXCLAMATION, "a list of nodes");
  expect(p, kind.LEFT_BRACE, "a list of nodes");
  // Lists written twice are joined.
  const before = made.namedMetadata.get(name);
  const nodes = (before?.nodes ?? []) as NamedMetadata["nodes"][number][];
  if (s.kind !== kind.RIGHT_BRACE) {
    do nodes.push(acceptWord(p, "null") ? null : readMetadata(p));
    while (accept(p, kind.COMMA));
  }
  expect(p, kind.RIGHT_BRACE);
  made.namedMetadata.set(name, { name, nodes, ...since(p, before?.start ?? start) });
}

/** `!7 = !{…}`, with `metadata` before the node in dialect A. */
function readNumberedNode(p: Parser): void {
  const s = p.scanner;
  const { start } = s;
  advance(s);
  if (s.kind !== kind.INTEGER) failExpected(p, "a metadata node's number");
  const id = nodeNumber(p);
  const range = since(p, start);
  expect(p, kind.EQUAL, "a node");
  if (isWord(p, "metadata")) {
    const word = { start: s.start, end: s.end };
    advance(s);
    noteFirst(p, "'metadata' before metadata", word);
  }
  const node = readMetadata(p);
  if (node?.kind !== "node") fail(p, `!${id} must be a node`, since(p, start));
  defineNode(p, id, node, range, start, s.before);
}

/** `attributes #0 = { … }`. */
function readGroup(p: Parser): void {
  const s = p.scanner;
  advance(s);
  if (s.kind !== kind.GROUP) failExpected(p, "an attribute group's number");
  const group = useGroup(p, s.id);
  advance(s);
  expect(p, kind.EQUAL, "a list of attributes");
  expect(p, kind.LEFT_BRACE, "a list of attributes");
  while (s.kind !== kind.RIGHT_BRACE && s.kind !== kind.GROUP && addAttribute(p, group));
  if (s.kind !== kind.RIGHT_BRACE) failExpected(p, "an attribute or '}'", [...attributeForms.keys()]);
  advance(s);
}

/** `$name = comdat any`. */
function readComdatDefinition(p: Parser): void {
  const s = p.scanner;
  const name = tokenName(s);
  const range = { start: s.start, end: s.end };
  advance(s);
  expect(p, kind.EQUAL);
  expectWord(p, "comdat");
  const words = ["any", "exactmatch", "largest", "nodeduplicate", "noduplicates", "samesize"];
  if (s.kind !== kind.WORD || !words.includes(tokenName(s))) failExpected(p, "a comdat's kind", words);
  advance(s);
  useComdat(p, name, range);
  const slot = p.module.comdats.get(name)!;
  if (slot.defined) report(p, "nvvm-redefined", `comdat $${name} is defined twice`, range);
  slot.defined = true;
}

/** `^0 = module: (…)`. */
function skipSummary(p: Parser): void {
  const s = p.scanner;
  advance(s);
  expect(p, kind.EQUAL);
  if (s.kind !== kind.LABEL) failExpected(p, "a summary's kind");
  advance(s);
  if (accept(p, kind.LEFT_PAREN)) skipNested(p, 1);
  else if (s.kind === kind.INTEGER) advance(s);
  else failExpected(p, "'('");
}

/** The module as it has been read. */
export function finishModule(p: Parser, made: Statements): Module {
  const variables: GlobalVariable[] = [];
  const functions: Function[] = [];
  const aliases: Alias[] = [];
  for (const value of p.module.declared) {
    if (value.kind === "variable") variables.push(value);
    else if (value.kind === "function") functions.push(value);
    else aliases.push(value);
  }
  const spellings: Open<Module["spellings"]> = { ...p.module.spellings };
  const globals = p.module.globals as Map<string, GlobalValue>;
  return { source: p.source, form: "text", types: p.types, ...made, variables, functions, aliases, globals, spellings };
}
