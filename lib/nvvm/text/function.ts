// Headers of functions (NVVM IR 1.0 section 3.6). The body is skipped, and read on demand.

import type { Ranged } from "../../ptx/source-text.js";
import type { Attribute, Function, LazyBody } from "../ir/global.js";
import type { Attachment } from "../ir/metadata.js";
import type { Argument } from "../ir/value.js";
import type { Type } from "../ir/type.js";
import { addAttribute, listOfNone, readAlign, readAttributes } from "./attributes.js";
import { readTypedConstant } from "./constants.js";
import { fail, failExpected, report, tokenRange } from "./fault.js";
import { readComdat, readLead } from "./global.js";
import type { LocalKey } from "./key-map.js";
import { readAttachment } from "./metadata.js";
import { defineGlobal, globalName } from "./names.js";
import { accept, acceptWord, expect, isWord, readCount, readString } from "./read.js";
import { advance, tokenName, type Scanner } from "./scanner.js";
import type { Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { checkResult, pointerTo, readAnyType, readParameterType, readSpace, typeWords } from "./types.js";
import { attributeForms, conventions } from "./words.table.js";

/** A function's parameters by their keys in its body, if they have names or numbers. */
export type ArgumentKeys = readonly LocalKey[];

/** Creates the body of a function whose opening brace is the current token. */
export type ReadBody = (fn: Function, keys: ArgumentKeys, nextNumber: number) => LazyBody;

/** `ptx_kernel`, `cc 76`; undefined if the next token is not a convention. */
export function readConvention(p: Parser): string | undefined {
  const s = p.scanner;
  if (s.kind !== kind.WORD) return undefined;
  const word = tokenName(s);
  // `cc10` is one word.
  if (conventions.has(word) || (word.startsWith("cc") && /^cc\d+$/.test(word))) {
    advance(s);
    return word;
  }
  if (word !== "cc") return undefined;
  advance(s);
  return `cc${readCount(p, "a calling convention's number", 2 ** 14 - 1)}`;
}

/** Shared by all functions without any. */
const none: readonly never[] = [];

/** A permanent list, without spare capacity. */
const exact = <T>(list: readonly T[], count = list.length): readonly T[] => (count === 0 ? none : list.slice(0, count));

/** A declaration, or a definition whose body is given to `readBody`. */
export function readFunction(p: Parser, isDefinition: boolean, readBody: ReadBody): void {
  const s = p.scanner;
  const { start } = s;
  advance(s);
  const attachments: Attachment[] = [];
  while (!isDefinition && s.kind === kind.METADATA) attachments.push(readAttachment(p));
  const lead = readLead(p);
  const convention = readConvention(p) ?? "ccc";
  const resultAttributes = readAttributes(p);
  const at = s.start;
  if (s.kind === kind.WORD) refuseUnknownWord(p);
  const result = readAnyType(p);
  checkResult(p, result, at);
  if (s.kind !== kind.GLOBAL && s.kind !== kind.GLOBAL_NUMBER) failExpected(p, "the function's name");
  const name = globalName(p);
  const nameRange: Ranged = { start: s.start, end: s.end };
  if (s.kind === kind.GLOBAL_NUMBER) p.module.nextGlobal = Math.max(p.module.nextGlobal, s.id + 1);
  advance(s);
  const list = readParameters(p);
  const valueType = p.types.function(
    result,
    list.arguments.map(({ type }) => type),
    list.variadic,
  );
  const tail = readTail(p, isDefinition ? attachments : undefined);
  const fn: Open<Function> = {
    kind: "function",
    name,
    nameStart: nameRange.start,
    type: pointerTo(p, tail.space ?? lead.space, valueType),
    linkage: lead.linkage ?? "external",
    visibility: lead.visibility,
    threadLocal: false,
    valueType,
    attachments: exact(attachments),
    arguments: list.arguments,
    convention,
    resultAttributes,
    argumentAttributes: list.attributes,
    attributes: tail.attributes,
    align: tail.align,
    section: tail.section,
    garbageCollector: tail.garbageCollector,
    body: undefined,
    start,
    end: Math.max(start, s.before),
  };
  if (!isDefinition) return defineGlobal(p, name, fn, nameRange);
  if (s.kind !== kind.LEFT_BRACE) failExpected(p, "an attribute or '{' and the body", [...attributeForms.keys()]);
  fn.body = readBody(fn, list.keys, list.next);
  fn.end = fn.body.end;
  defineGlobal(p, name, fn, nameRange);
}

/** Reports a word that is neither a type nor allowed before one. */
function refuseUnknownWord(p: Parser): void {
  const s = p.scanner;
  const word = tokenName(s);
  if (typeWords.includes(word) || /^i\d+$|^x86_?mmx$|^target$/.test(word)) return;
  failExpected(p, "the function's result type", [...typeWords, ...attributeForms.keys(), ...conventions]);
}

/** Number of parameters from which a set is faster than searching the list. */
const MANY = 16;

/** Whether one of the first `count` parameters has that key; a previous call may have made a set of the same list. */
function createKeyFinder(): (keys: readonly LocalKey[], count: number, key: LocalKey) => boolean {
  let known: Set<LocalKey> | undefined;
  let added = 0;
  return (keys, count, key) => {
    if (count < MANY) {
      const at = keys.indexOf(key);
      return at >= 0 && at < count;
    }
    known ??= new Set();
    for (; added < count; added++) known.add(keys[added]!);
    return known.has(key);
  };
}

interface Parameters {
  readonly arguments: readonly Argument[];
  readonly attributes: readonly (readonly Attribute[])[];
  readonly keys: ArgumentKeys;
  readonly variadic: boolean;
  /** The number of the first unnamed block or value. */
  readonly next: number;
}

function readParameters(p: Parser): Parameters {
  const s = p.scanner;
  expect(p, kind.LEFT_PAREN, "the parameters");
  // Growing lists would be most of a declaration's memory.
  const { arguments: made, attributes, keys } = p.module.parameters;
  let count = 0;
  let hasAttributes = false;
  let isAmong: ReturnType<typeof createKeyFinder> | undefined;
  let next = 0;
  let variadic = false;
  if (s.kind !== kind.RIGHT_PAREN) {
    do {
      if (accept(p, kind.ELLIPSIS)) {
        variadic = true;
        break;
      }
      const { start } = s;
      const type: Type = readParameterType(p);
      const own = readAttributes(p);
      hasAttributes ||= own.length > 0;
      attributes[count] = own;
      let name: string | undefined;
      let key = ~next;
      if (s.kind === kind.LOCAL) {
        name = tokenName(s);
        key = s.id;
        if (count > 0 && (isAmong ??= createKeyFinder())(keys, count, key))
          report(p, "nvvm-redefined", `two parameters are named %${name}`, { start: s.start, end: s.end });
        advance(s);
      } else {
        if (s.kind === kind.LOCAL_NUMBER) {
          if (s.id < next)
            fail(p, `the next unnamed parameter is %${next}`, tokenRange(s), { remedy: "use that number, or a name" });
          next = s.id;
          key = ~next;
          advance(s);
        }
        next++;
      }
      keys[count] = key;
      made[count] = { kind: "argument", type, name, index: count, start, end: Math.max(start, s.before) };
      count++;
    } while (accept(p, kind.COMMA));
  }
  expect(p, kind.RIGHT_PAREN);
  return {
    arguments: exact(made, count),
    attributes: hasAttributes ? exact(attributes, count) : listOfNone(count),
    keys: exact(keys, count),
    variadic,
    next,
  };
}

const beginsAttribute = (s: Scanner): boolean =>
  s.kind === kind.WORD ? attributeForms.has(tokenName(s)) : s.kind === kind.GROUP || s.kind === kind.STRING;

interface Tail {
  readonly attributes: readonly Attribute[];
  readonly align: number | undefined;
  readonly section: string | undefined;
  readonly garbageCollector: string | undefined;
  readonly space: number | undefined;
}

/**
 * The part after the parameters: attributes and clauses in any order. A declaration has no attachments there: its own come
 * first, and a named list of nodes may follow.
 */
function readTail(p: Parser, attachments: Attachment[] | undefined): Tail {
  const s = p.scanner;
  let attributes: Attribute[] | undefined;
  let align: number | undefined;
  let section: string | undefined;
  let garbageCollector: string | undefined;
  let space: number | undefined;
  for (;;) {
    if (attachments !== undefined && s.kind === kind.METADATA) attachments.push(readAttachment(p));
    else if (isWord(p, "align")) {
      advance(s);
      align = readAlign(p);
    } else if (acceptWord(p, "section")) section = readString(p);
    else if (acceptWord(p, "partition")) readString(p);
    else if (acceptWord(p, "gc")) garbageCollector = readString(p);
    else if (isWord(p, "comdat")) readComdat(p);
    else if (isWord(p, "addrspace")) space = readSpace(p);
    else if (acceptWord(p, "unnamed_addr") || acceptWord(p, "local_unnamed_addr")) continue;
    else if (acceptWord(p, "prefix") || acceptWord(p, "prologue") || acceptWord(p, "personality")) readTypedConstant(p);
    else if (!beginsAttribute(s) || !addAttribute(p, (attributes ??= []))) break;
  }
  return { attributes: attributes ?? none, align, section, garbageCollector, space };
}
