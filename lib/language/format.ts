// Formats a document as lib/ptx/printer.ts prints a tree: one statement a line, a tab for each block, one blank between operands.
// Unlike the printer it keeps every token's spelling, comments, single blank lines, and line ends inside statements; only white
// space changes. Rejected: printing the tree, which has no comments and turns 0x10 into 16.

import { createSink } from "../diag/sink.js";
import { tokenize } from "../ptx/lexer.js";
import { parseModule } from "../ptx/parse.js";
import * as kind from "../ptx/token.js";
import type { TokenTable } from "../ptx/token.js";
import { functionDirectives } from "../ptx/words.table.js";
import { readGap, type Gap } from "./comments.js";
import { openDocument, type LanguageDocument } from "./document.js";
import { isSpaced, type SpacedToken } from "./spacing.js";
import { endWithLine, opensBlock } from "./words.js";

export interface FormatOptions {
  /** Indentation of one level; a tab by default. */
  readonly indent?: string;
}

export type FormatResult =
  { readonly kind: "formatted"; readonly text: string } | { readonly kind: "refused"; readonly why: string };

export function formatDocument(document: LanguageDocument, { indent = "\t" }: FormatOptions = {}): FormatResult {
  const sink = createSink();
  parseModule(document.source, sink);
  const [fault] = sink.all.filter(({ severity }) => severity === "error");
  if (fault !== undefined) return { kind: "refused", why: `the file has a syntax error: ${fault.message}` };
  const { tokens } = tokenize(document.source.bytes);
  if (tokens.kinds.subarray(0, tokens.count).includes(kind.DWARF_LINE))
    return { kind: "refused", why: "lines of @@DWARF are not formatted" };
  const text = layOut(document, tokens, indent);
  return isSameText({ ...document, tokens }, openDocument(document.name, text))
    ? { kind: "formatted", text }
    : { kind: "refused", why: "formatting would change more than white space" };
}

/** Whether two texts have the same tokens and comments in the same order. */
function isSameText(a: Pick<LanguageDocument, "text"> & { tokens: TokenTable }, other: LanguageDocument): boolean {
  const b = { text: other.text, tokens: tokenize(other.source.bytes).tokens };
  if (a.tokens.count !== b.tokens.count) return false;
  let [lastA, lastB] = [0, 0];
  for (let i = 0; i <= a.tokens.count; i++) {
    const [startA, startB] = [a.tokens.starts[i]!, b.tokens.starts[i]!];
    const [endA, endB] = [a.tokens.ends[i]!, b.tokens.ends[i]!];
    if (a.text.slice(startA, endA) !== b.text.slice(startB, endB)) return false;
    const [gapA, gapB] = [readGap(a.text.slice(lastA, startA)), readGap(b.text.slice(lastB, startB))];
    if (gapA.comments.length !== gapB.comments.length) return false;
    if (!gapA.comments.every(({ text }, n) => text === gapB.comments[n]!.text)) return false;
    [lastA, lastB] = [endA, endB];
  }
  return true;
}

// ---------------------------------------------------------------------------------------------------------------- layout

interface Layout {
  readonly indent: string;
  readonly out: string[];
  /** Whether the current line is empty. */
  isLineEmpty: boolean;
  /** Number of open blocks. */
  depth: number;
  /** Number of open braces of vectors and initial values. */
  inner: number;
  /** Whether the token is inside the braces of a .section. */
  isSection: boolean;
  statement: SpacedToken[];
}

function layOut({ text }: LanguageDocument, tokens: TokenTable, indent: string): string {
  const layout: Layout = {
    indent,
    out: [],
    isLineEmpty: true,
    depth: 0,
    inner: 0,
    isSection: false,
    statement: [],
  };
  let last = 0;
  for (let i = 0; i < tokens.count; i++) {
    const token = { kind: tokens.kinds[i]!, text: text.slice(tokens.starts[i], tokens.ends[i]) };
    addToken(token, readGap(text.slice(last, tokens.starts[i])), layout);
    last = tokens.ends[i]!;
  }
  const end = readGap(text.slice(last));
  addComments(end, 0, layout);
  if (!layout.isLineEmpty) endLine(layout);
  return layout.out.join("");
}

function addToken(token: SpacedToken, gap: Gap, layout: Layout): void {
  const hasLineEnd = gap.lineEnds > 0 || gap.comments.some(({ lineEnds, isLine }) => lineEnds > 0 || isLine);
  const { statement } = layout;
  if (hasLineEnd && endWithLine.has(statement[0]?.text ?? "") && statement.at(-1)!.kind !== kind.COMMA)
    statement.length = 0;
  if (statement.length === 1 && statement[0]!.text === LABEL && !labelled.has(token.text)) statement.length = 0;
  if (layout.isSection && hasLineEnd) statement.length = 0;
  const isBlock = layout.inner === 0 && opensBlock(statement);
  const closesBlock = token.kind === kind.BRACE_CLOSE && layout.inner === 0;
  const isHead = isFunctionWord(statement[0]?.text) || isFunctionWord(statement[1]?.text);
  const isLine =
    statement.length === 0 ||
    closesBlock ||
    (token.kind === kind.BRACE_OPEN && isBlock && statement[0]!.text !== ".section") ||
    (layout.isSection && hasLineEnd) ||
    (isHead && (functionDirectives.has(token.text) || token.text === ".pragma"));
  if (closesBlock) layout.depth = Math.max(0, layout.depth - 1);
  const level = levelOf(token, isLine, layout);
  const commentLevel = closesBlock ? level + 1 : level;
  addComments(gap, isLine ? commentLevel : level, layout);
  if (layout.out.length > 0 && isLine) {
    if (!layout.isLineEmpty) endLine(layout);
    if (gap.lineEnds > 1) addBlankLine(layout);
  } else if (!layout.isLineEmpty && gap.lineEnds > 0 && token.kind !== kind.SEMICOLON && token.kind !== kind.COMMA)
    endLine(layout);
  const isFirst = layout.isLineEmpty;
  const wantsBlank = !isFirst && (gap.comments.length > 0 || isSpaced(statement, token, !gap.isEmpty));
  write(`${wantsBlank ? " " : ""}${token.text}`, level, layout);
  follow(token, isBlock, layout);
}

const isFunctionWord = (text: string | undefined): boolean => text === ".entry" || text === ".func";

function levelOf(token: SpacedToken, isLine: boolean, layout: Layout): number {
  const { depth, statement, isSection } = layout;
  if (isSection) return token.kind === kind.DIRECTIVE ? depth : 0;
  if (isLine || token.kind === kind.PAREN_CLOSE || token.kind === kind.BRACE_CLOSE || statement.length === 0)
    return depth;
  return depth + 1;
}

/** Updates the statement and the blocks after a token. */
function follow(token: SpacedToken, isBlock: boolean, layout: Layout): void {
  const { statement } = layout;
  const end = (): void => void (statement.length = 0);
  switch (token.kind) {
    case kind.SEMICOLON:
      layout.inner = 0;
      return end();
    case kind.COLON:
      // A label; the list or prototype that it names may follow.
      if (statement.length === 1 && !layout.isSection) {
        statement[0] = { kind: kind.DIRECTIVE, text: LABEL };
        return;
      }
      break;
    case kind.BRACE_OPEN:
      if (!isBlock) layout.inner++;
      else {
        layout.isSection = statement[0]?.text === ".section";
        layout.depth++;
        return end();
      }
      break;
    case kind.BRACE_CLOSE:
      if (layout.inner > 0) layout.inner--;
      else {
        layout.isSection = false;
        return end();
      }
  }
  statement.push(token);
}

/** Replaces a statement that is only a label, which ends unless a list or a prototype follows. */
const LABEL = ".label:";

const labelled: ReadonlySet<string> = new Set([".callprototype", ".branchtargets", ".calltargets"]);

function addComments({ comments }: Gap, level: number, layout: Layout): void {
  for (const { text, lineEnds, blanks, isLine } of comments) {
    const isOwnLine = lineEnds > 0 || layout.isLineEmpty;
    if (isOwnLine) {
      if (!layout.isLineEmpty) endLine(layout);
      if (lineEnds > 1 && layout.out.length > 0) addBlankLine(layout);
    }
    const isMarker = text.startsWith("#");
    write(isOwnLine ? text : `${blanks === "" ? " " : blanks}${text}`, isMarker ? 0 : level, layout);
    if (isLine) endLine(layout);
  }
}

function write(text: string, level: number, layout: Layout): void {
  if (layout.isLineEmpty) layout.out.push(layout.indent.repeat(level));
  layout.out.push(text);
  layout.isLineEmpty = false;
}

function endLine(layout: Layout): void {
  layout.out.push("\n");
  layout.isLineEmpty = true;
}

function addBlankLine({ out }: Layout): void {
  out.push("\n");
}
