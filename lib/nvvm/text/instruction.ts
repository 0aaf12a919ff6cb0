// Instructions of a body: names, flags and the parts that all have at their end; each opcode's own grammar is in the readers.

import type { Attachment } from "../ir/metadata.js";
import type { Instruction } from "../ir/instruction.js";
import type { Type } from "../ir/type.js";
import { fail, failExpected, failWith, tokenRange } from "./fault.js";
import { readAttachment } from "./metadata.js";
import type { Operands, Head } from "./operands.js";
import { accept } from "./read.js";
import { advance, tokenName } from "./scanner.js";
import type { BodyState, Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { flagsOf, flagWords } from "./words.table.js";

/** Reads the operands after an opcode and its words, and finishes the instruction. */
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
  if (reader === undefined) refuseOpcode(p, opcode, readers);
  p.construct = opcode;
  advance(s);
  const flags = s.kind === kind.WORD ? readFlags(p, opcode) : 0;
  const head: Head = { start, name, index: body.count++, opcode, flags, attachments: none, end: start };
  return reader(p, head, body);
}

/** Instructions removed from LLVM, and the replacement of each. */
const dropped: ReadonlyMap<string, string> = new Map([
  ["malloc", "call the function malloc"],
  ["free", "call the function free"],
  ["getresult", "write extractvalue"],
  ["vicmp", "write icmp of vectors"],
  ["vfcmp", "write fcmp of vectors"],
]);

function refuseOpcode(p: Parser, opcode: string, readers: ReadonlyMap<string, Reader>): never {
  const remedy = dropped.get(opcode);
  if (remedy === undefined) failExpected(p, "an instruction", [...readers.keys()]);
  const message = `'${opcode}' has not been an instruction since LLVM 2.8`;
  failWith(p, "nvvm-instruction", message, tokenRange(p.scanner), { remedy });
}

/** Reads the remaining attachments. Another instruction follows. */
function finish(p: Parser, head: Head): void {
  const s = p.scanner;
  if (head.attachments === none && s.kind === kind.COMMA) {
    advance(s);
    readAttachments(p, head);
  }
  head.end = s.before;
}

/** Finishes an instruction: the fields that all have. */
export function plain<Opcode extends string>(p: Parser, head: Head, type: Type, list: Operands, opcode: Opcode) {
  finish(p, head);
  return {
    kind: "instruction" as const,
    type,
    name: head.name,
    index: head.index,
    operands: list.values,
    operandStarts: list.starts,
    flags: head.flags,
    attachments: head.attachments,
    start: head.start,
    end: head.end,
    opcode,
  };
}

/**
 * Finishes an instruction of a frequent opcode, whose own fields the caller sets one by one: a copy of the object with more
 * fields took three times as long as all other reading.
 */
export const partial = <Of extends Instruction>(
  p: Parser,
  head: Head,
  type: Type,
  list: Operands,
  opcode: Of["opcode"],
): Open<Of> => plain(p, head, type, list, opcode) as unknown as Open<Of>;

/** `nuw`, `inbounds`, `fast` and similar. */
export function readFlags(p: Parser, opcode: string): number {
  const s = p.scanner;
  let flags = 0;
  while (s.kind === kind.WORD) {
    const bits = flagWords.get(tokenName(s));
    if (bits === undefined) break;
    if ((bits & ~(flagsOf[opcode] ?? 0)) !== 0)
      fail(p, `'${opcode}' does not take '${tokenName(s)}'`, tokenRange(s), { remedy: "remove the word" });
    flags |= bits;
    advance(s);
  }
  return flags;
}

/** `!dbg !1, !tbaa !2`; the comma before the first has been read. */
function readAttachments(p: Parser, head: Head): void {
  const list: Attachment[] = [readAttachment(p)];
  while (accept(p, kind.COMMA)) list.push(readAttachment(p));
  head.attachments = list;
}

/** Whether another part of the instruction follows a comma; attachments are read here and do not count. */
export function acceptPart(p: Parser, head: Head): boolean {
  if (!accept(p, kind.COMMA)) return false;
  if (p.scanner.kind !== kind.METADATA) return true;
  readAttachments(p, head);
  return false;
}
