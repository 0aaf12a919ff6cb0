// Attributes of parameters, results, functions, variables and calls (NVVM IR 1.0 sections 3.9 and 3.11; LLVM Language
// Reference, "Parameter Attributes" and "Function Attributes").

import { append } from "../../base/lists.js";
import type { Attribute } from "../ir/global.js";
import type { Open, Parser } from "./state.js";
import { fail } from "./fault.js";
import { useGroup } from "./names.js";
import { accept, expect, readCount, readRaw, readString, since } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import { kind } from "./token.js";
import { readType } from "./types.js";
import { attributeForms } from "./words.table.js";

/** Reads all attributes that follow. */
export function readAttributes(p: Parser): readonly Attribute[] {
  const s = p.scanner;
  if (s.kind !== kind.WORD && s.kind !== kind.GROUP && s.kind !== kind.STRING) return none;
  if (s.kind === kind.WORD && !attributeForms.has(tokenName(s))) return none;
  const list: Attribute[] = [];
  if (s.kind === kind.GROUP && p.body !== undefined) {
    // Most calls have one group, and nothing else.
    const group = useGroup(p, s.id);
    advance(s);
    if (s.kind !== kind.WORD && s.kind !== kind.GROUP && s.kind !== kind.STRING) return group;
    append(list, group);
  }
  while (addAttribute(p, list));
  return list;
}

/** Shared by all functions without attributes. */
const none: readonly Attribute[] = [];

/** Lists of empty lists by their number, shared by all functions and calls whose parameters have no attributes. */
const noneOf: (readonly (readonly Attribute[])[])[] = [];
const MAX_SHARED = 64;

export function listOfNone(count: number): readonly (readonly Attribute[])[] {
  if (count > MAX_SHARED) return Array.from({ length: count }, () => none);
  while (noneOf.length <= count) noneOf.push(Array.from({ length: noneOf.length }, () => none));
  return noneOf[count]!;
}

/**
 * Reads one attribute or a group into a list; returns whether there was one. Groups are resolved immediately in bodies, and
 * elsewhere when all are known.
 */
export function addAttribute(p: Parser, list: Attribute[]): boolean {
  const s = p.scanner;
  if (s.kind !== kind.GROUP) {
    const attribute = readAttribute(p);
    if (attribute !== undefined) list.push(attribute);
    return attribute !== undefined;
  }
  const group = useGroup(p, s.id);
  advance(s);
  // After the attributes written before it, and before those after it: the module processes these in reverse.
  const at = list.length;
  if (p.body !== undefined) append(list, group);
  else
    p.module.later.push(() => {
      const behind = list.splice(at);
      append(list, group);
      append(list, behind);
    });
  return true;
}

/** One attribute; undefined if the current token does not start one. */
function readAttribute(p: Parser): Attribute | undefined {
  const s = p.scanner;
  if (s.kind === kind.STRING) return readTextAttribute(p);
  if (s.kind !== kind.WORD) return undefined;
  const name = tokenName(s);
  const form = attributeForms.get(name);
  if (form === undefined) return undefined;
  const { start } = s;
  advance(s);
  const attribute: Open<Attribute> = { name, start, end: s.before };
  if (form === "number") attribute.value = readNumber(p, name);
  else if (s.kind === kind.LEFT_PAREN && form === "text") attribute.value = readRaw(p);
  else if (s.kind === kind.LEFT_PAREN && form === "type") {
    advance(s);
    attribute.type = readType(p);
    expect(p, kind.RIGHT_PAREN);
  }
  attribute.end = s.before;
  return attribute;
}

/** `align 8`, `align(8)`, and `align=8` in a group. */
function readNumber(p: Parser, name: string): number {
  const { start } = p.scanner;
  let value;
  if (accept(p, kind.LEFT_PAREN)) {
    value = readCount(p, "a number of bytes");
    expect(p, kind.RIGHT_PAREN);
  } else {
    accept(p, kind.EQUAL);
    value = readCount(p, "a number of bytes");
  }
  if (name.startsWith("align")) checkAlign(p, value, start);
  return value;
}

/** `"target-cpu"="sm_90"`. */
function readTextAttribute(p: Parser): Attribute {
  const { start } = p.scanner;
  const name = readString(p);
  const text = accept(p, kind.EQUAL) ? readString(p) : "";
  return { name, text, ...since(p, start) };
}

/** LLVM's limit. */
const MAX_ALIGN = 2 ** 32;

/** `align 8` and similar, after the word. */
export function readAlign(p: Parser): number {
  const { start } = p.scanner;
  const inParens = accept(p, kind.LEFT_PAREN);
  const value = readCount(p, "an alignment");
  if (inParens) expect(p, kind.RIGHT_PAREN);
  checkAlign(p, value, start);
  return value;
}

function checkAlign(p: Parser, value: number, start: number): void {
  if (value > MAX_ALIGN || !Number.isInteger(Math.log2(value)))
    fail(p, `alignment ${value} is not a power of two`, since(p, start), {
      remedy: "write align 1, 2, 4, ...",
    });
}
