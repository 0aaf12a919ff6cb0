// Variables, aliases and ifuncs, and the words that precede every global value (NVVM IR 1.0 sections 3.1 and 3.5 to 3.7). The
// words are accepted in any order: LLVM's own order has changed between versions.

import type { Ranged } from "../../ptx/source-text.js";
import type { Alias, Attribute, GlobalVariable, Linkage } from "../ir/global.js";
import type { Attachment } from "../ir/metadata.js";
import { typeText, type Type } from "../ir/type.js";
import type { Constant } from "../ir/value.js";
import { addAttribute, readAlign } from "./attributes.js";
import { readConstant } from "./constants.js";
import { constantOpcodes, readAnyExpression } from "./expression.js";
import { fail, failExpected, tokenRange } from "./fault.js";
import { readAttachment } from "./metadata.js";
import { defineGlobal, useComdat } from "./names.js";
import { pointeeOf } from "./pointee.js";
import { accept, acceptWord, expect, isWord, noteFirst, readString, since } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { pointerTo, readAnyType, readSpace, readType } from "./types.js";
import { linkages, visibilities } from "./words.table.js";

/** The words before a declaration. */
export interface DeclarationPrefix {
  linkage: Linkage | undefined;
  visibility: "default" | "hidden" | "protected";
  threadLocal: boolean;
  space: number;
  externallyInitialized: boolean;
}

const leadWords: readonly string[] = [
  ...linkages.keys(),
  ..."dso_local dso_preemptable unnamed_addr local_unnamed_addr thread_local externally_initialized addrspace".split(
    " ",
  ),
];

/** Reads linkage, visibility and similar words, in any number. */
export function readLead(p: Parser): DeclarationPrefix {
  const s = p.scanner;
  const lead: DeclarationPrefix = {
    linkage: undefined,
    visibility: "default",
    threadLocal: false,
    space: 0,
    externallyInitialized: false,
  };
  while (s.kind === kind.WORD && readLeadWord(p, lead, tokenName(s)));
  return lead;
}

function readLeadWord(p: Parser, lead: DeclarationPrefix, word: string): boolean {
  const s = p.scanner;
  const linkage = linkages.get(word);
  if (linkage !== undefined) {
    // DLL storage classes were linkages once, and now follow them.
    if (lead.linkage !== undefined && !word.startsWith("dll"))
      fail(p, "the linkage is given twice", tokenRange(s), { remedy: "leave one out" });
    lead.linkage = linkage;
    if (word.startsWith("linker_private")) noteFirst(p, "'linker_private'", { start: s.start, end: s.end });
  } else if (visibilities.has(word)) lead.visibility = word as DeclarationPrefix["visibility"];
  else if (word === "addrspace") {
    lead.space = readSpace(p);
    return true;
  } else if (word === "thread_local") {
    lead.threadLocal = true;
    advance(s);
    if (accept(p, kind.LEFT_PAREN)) {
      if (s.kind !== kind.WORD) failExpected(p, "a model of thread-local storage");
      advance(s);
      expect(p, kind.RIGHT_PAREN);
    }
    return true;
  } else if (word === "externally_initialized") lead.externallyInitialized = true;
  else if (word === "code_model") {
    advance(s);
    readString(p);
    return true;
  } else if (
    word !== "dso_local" &&
    word !== "dso_preemptable" &&
    word !== "unnamed_addr" &&
    word !== "local_unnamed_addr"
  )
    return false;
  advance(s);
  return true;
}

/** The part after `@name =`. */
export function readNamedGlobal(p: Parser, name: string, nameRange: Ranged): void {
  const lead = readLead(p);
  if (isWord(p, "global") || isWord(p, "constant")) readVariable(p, name, nameRange, lead);
  else if (isWord(p, "alias") || isWord(p, "ifunc")) readAlias(p, name, nameRange, lead);
  else failExpected(p, "'global', 'constant' or 'alias'", ["global", "constant", "alias", "ifunc", ...leadWords]);
}

function readVariable(p: Parser, name: string, nameRange: Ranged, lead: DeclarationPrefix): void {
  const constant = tokenName(p.scanner) === "constant";
  advance(p.scanner);
  const at = p.scanner.start;
  const valueType = readType(p);
  if (valueType.kind === "function" || valueType.kind === "label" || valueType.kind === "metadata")
    fail(p, `no variable is of type ${typeText(valueType)}`, since(p, at), { remedy: "store a pointer" });
  // Its initial value may contain its own address.
  const type = pointerTo(p, lead.space, valueType);
  const isDeclaration =
    lead.linkage === "external" || lead.linkage === "extern_weak" || lead.linkage === "dllimport" || !beginsConstant(p);
  let initializer: Constant | undefined;
  if (!isDeclaration || beginsConstant(p)) initializer = readConstant(p, valueType);
  const { linkage, visibility, threadLocal, externallyInitialized } = lead;
  if (initializer === undefined && linkage !== undefined && !declared.has(linkage))
    failExpected(p, `the initial value of @${name}`);
  const clauses = readClauses(p);
  const variable: GlobalVariable = {
    kind: "variable",
    name,
    nameStart: nameRange.start,
    type,
    linkage: linkage ?? "external",
    visibility,
    threadLocal,
    valueType,
    constant,
    externallyInitialized,
    initializer,
    ...clauses,
    ...since(p, nameRange.start),
  };
  defineGlobal(p, name, variable, nameRange);
}

/** Linkages of declarations. */
const declared: ReadonlySet<Linkage> = new Set(["external", "extern_weak", "dllimport"]);

/** Whether an initial value follows, not a clause or the next statement. */
function beginsConstant(p: Parser): boolean {
  const s = p.scanner;
  switch (s.kind) {
    case kind.END:
    case kind.COMMA:
    case kind.METADATA:
    case kind.EXCLAMATION:
    case kind.GROUP:
    case kind.STRING:
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
    case kind.COMDAT:
    case kind.SUMMARY:
      return false;
    case kind.GLOBAL:
    case kind.GLOBAL_NUMBER:
      return !isDefinition(p);
    case kind.WORD:
      return !statementWords.has(tokenName(s));
    default:
      return true;
  }
}

/** Words that start a statement of the module. */
export const statementWords: ReadonlySet<string> = new Set(
  "define declare target source_filename module attributes uselistorder uselistorder_bb deplibs type".split(" "),
);

/** Whether `=` follows the current global name. */
function isDefinition({ scanner }: Parser): boolean {
  const ahead = { ...scanner };
  advance(ahead);
  return ahead.kind === kind.EQUAL;
}

type Clauses = Pick<GlobalVariable, "align" | "section" | "attributes" | "attachments">;

/** `, section "…", align 8, comdat, !dbg !1` and attributes. */
function readClauses(p: Parser): Clauses {
  const s = p.scanner;
  let align: number | undefined;
  let section: string | undefined;
  const attributes: Attribute[] = [];
  const attachments: Attachment[] = [];
  while (accept(p, kind.COMMA)) {
    if (acceptWord(p, "section")) section = readString(p);
    else if (acceptWord(p, "partition")) readString(p);
    else if (acceptWord(p, "align")) align = readAlign(p);
    else if (acceptWord(p, "code_model")) readString(p);
    else if (isWord(p, "comdat")) readComdat(p);
    else if (s.kind === kind.METADATA) attachments.push(readAttachment(p));
    else if (readSanitizer(p)) continue;
    else failExpected(p, "'section', 'align', 'comdat' or metadata", ["section", "align", "comdat", "partition"]);
  }
  while (s.kind === kind.GROUP || s.kind === kind.STRING) addAttribute(p, attributes);
  return { align, section, attributes, attachments };
}

/** Words of sanitizers, which have no effect here. */
function readSanitizer(p: Parser): boolean {
  const word = p.scanner.kind === kind.WORD ? tokenName(p.scanner) : "";
  if (!word.startsWith("no_sanitize") && !word.startsWith("sanitize_")) return false;
  advance(p.scanner);
  return true;
}

/** `comdat`, `comdat($name)`. */
export function readComdat(p: Parser): void {
  const s = p.scanner;
  advance(s);
  if (!accept(p, kind.LEFT_PAREN)) return;
  if (s.kind !== kind.COMDAT) failExpected(p, "a comdat's name");
  useComdat(p, tokenName(s), { start: s.start, end: s.end });
  advance(s);
  expect(p, kind.RIGHT_PAREN);
}

/** `alias T, ptr @x`; dialect A writes no type of its own, and the linkage after `alias`. */
function readAlias(p: Parser, name: string, nameRange: Ranged, front: DeclarationPrefix): void {
  const s = p.scanner;
  const what = tokenName(s) as "alias" | "ifunc";
  p.construct = what;
  advance(s);
  const behind = readLead(p);
  const { valueType, aliasee, space } = readAliasee(p);
  while (accept(p, kind.COMMA)) {
    if (acceptWord(p, "partition")) readString(p);
    else if (s.kind === kind.METADATA) readAttachment(p);
    else failExpected(p, "'partition'", ["partition"]);
  }
  const alias: Alias = {
    kind: what,
    name,
    nameStart: nameRange.start,
    // In the address space of its aliasee.
    type: pointerTo(p, space, valueType),
    linkage: front.linkage ?? behind.linkage ?? "external",
    visibility: front.visibility === "default" ? behind.visibility : front.visibility,
    threadLocal: front.threadLocal,
    valueType,
    attachments: [],
    aliasee,
    ...since(p, nameRange.start),
  };
  defineGlobal(p, name, alias, nameRange);
}

interface Aliasee {
  readonly valueType: Type;
  readonly aliasee: Constant;
  readonly space: number;
}

/** The type, unless dialect A omits it, and an address; an expression contains its own type. */
function readAliasee(p: Parser): Aliasee {
  const s = p.scanner;
  const { start } = s;
  const isExpression = (): boolean => s.kind === kind.WORD && constantOpcodes.has(tokenName(s));
  const valueType = isExpression() ? undefined : readAnyType(p);
  const written = valueType !== undefined && !accept(p, kind.COMMA) ? valueType : undefined;
  if (valueType === undefined || written !== undefined) {
    if (written !== undefined) pointeeOf(p, written);
    noteFirst(p, "an alias without a type of its own", since(p, start));
  }
  let aliasee: Constant;
  let type: Type | undefined = written;
  if (type === undefined && isExpression()) {
    aliasee = readAnyExpression(p);
    ({ type } = aliasee);
  } else {
    type ??= readType(p);
    aliasee = readConstant(p, type);
  }
  if (type.kind !== "pointer") fail(p, "an alias is of an address", since(p, start));
  const own = written === undefined ? valueType : undefined;
  return { valueType: own ?? type.pointee ?? p.types.integer(8), aliasee, space: type.space };
}
