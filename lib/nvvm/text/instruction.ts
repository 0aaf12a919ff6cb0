// Instructions of a body: names, words and what all have behind them; each opcode's own grammar is in the readers.

import type { Attachment } from "../ir/metadata.js";
import type { Instruction } from "../ir/instruction.js";
import { failExpected, failWith, tokenRange } from "./fault.js";
import { readAttachment } from "./metadata.js";
import { accept } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { BodyState, Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { flagsOf, flagWords } from "./words.table.js";

/** What is known of an instruction before its opcode's reader. */
export interface Head {
  /** Of its result's name, or of its opcode. */
  readonly start: number;
  readonly name: string | undefined;
  readonly index: number;
  readonly opcode: string;
  readonly flags: number;
  attachments: readonly Attachment[];
}

/** Reads what is behind an opcode and its words. `end` and attachments are filled in behind it. */
export type Reader = (p: Parser, head: Head, body: BodyState) => Instruction;

const none: readonly Attachment[] = [];

/** The current token is the opcode. */
export function readInstruction(
  p: Parser,
  body: BodyState,
  readers: ReadonlyMap<string, Reader>,
  name: string | undefined,
  start: number,
): Instruction {
  const s = p.scanner;
  if (s.kind !== kind.WORD) failExpected(p, "an instruction");
  const opcode = tokenName(s);
  const reader = readers.get(opcode);
  if (reader === undefined) failExpected(p, "an instruction", [...readers.keys()]);
  advance(s);
  const flags = s.kind === kind.WORD ? readFlags(p, opcode) : 0;
  const head: Head = { start, name, index: body.count++, opcode, flags, attachments: none };
  const instruction: Open<Instruction> = reader(p, head, body);
  if (head.attachments === none && s.kind === kind.COMMA) {
    advance(s);
    readAttachments(p, head);
  }
  instruction.attachments = head.attachments;
  instruction.end = s.before;
  return instruction as Instruction;
}

/** `nuw`, `inbounds`, `fast` and their like. */
export function readFlags(p: Parser, opcode: string): number {
  const s = p.scanner;
  let flags = 0;
  while (s.kind === kind.WORD) {
    const bits = flagWords.get(tokenName(s));
    if (bits === undefined) break;
    if ((bits & ~(flagsOf[opcode] ?? 0)) !== 0)
      failWith(p, "nvvm-syntax", `'${opcode}' has no '${tokenName(s)}'`, tokenRange(s));
    flags |= bits;
    advance(s);
  }
  return flags;
}

/** `!dbg !1, !tbaa !2`; the comma in front of the first is read. */
export function readAttachments(p: Parser, head: Head): void {
  const list: Attachment[] = [];
  do list.push(readAttachment(p));
  while (accept(p, kind.COMMA));
  head.attachments = list;
}

/** Whether another part of the instruction is behind a comma; attachments are read here and are none. */
export function acceptPart(p: Parser, head: Head): boolean {
  if (!accept(p, kind.COMMA)) return false;
  if (p.scanner.kind !== kind.METADATA) return true;
  readAttachments(p, head);
  return false;
}
