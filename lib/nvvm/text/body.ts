// A function's body: blocks and instructions, their names and numbers. After a fault in an instruction, reading continues with
// the next, and uses of its result cause no further messages.

import type { Ranged } from "../../ptx/source-text.js";
import type { Body, Function } from "../ir/global.js";
import type { BasicBlock, Instruction } from "../ir/instruction.js";
import { fail, failExpected, report, reportFault, SyntaxFault, tokenRange } from "./fault.js";
import type { ArgumentKeys } from "./function.js";
import { readInstruction, type Reader } from "./instruction.js";
import type { LocalKey } from "./key-map.js";
import { expect, isWord, skipNested } from "./read.js";
import { arithmeticReaders } from "./read-arithmetic.js";
import { callReaders } from "./read-call.js";
import { controlReaders, terminators } from "./read-control.js";
import { spareOperands } from "./operands.js";
import { memoryReaders } from "./read-memory.js";
import { advance, tokenName } from "./scanner.js";
import type { BodyState, Open, Parser } from "./state.js";
import { kind } from "./token.js";
import { skipUseList } from "./use-list.js";
import { blockSlot, checkLocals, defineFaulty, defineLocal, localKey, localText } from "./values.js";

const readers: ReadonlyMap<string, Reader> = new Map([
  ...arithmeticReaders,
  ...memoryReaders,
  ...controlReaders,
  ...callReaders,
]);

const LINE_FEED = 10;

/** Limit of faults, after which the rest of a body is not read. */
const MAX_FAULTS = 20;

export function createBodyState(fn: Function, keys: ArgumentKeys, next: number): BodyState {
  const locals = new Map(keys.map((key, index) => [key, fn.arguments[index]!] as const));
  return {
    locals,
    forwards: new Map(),
    blocks: new Map(),
    faulty: new Set(),
    next,
    count: 0,
    forwardUses: 0,
    incoming: [],
    spare: spareOperands(),
  };
}

/** The blocks under construction. */
interface Building {
  readonly blocks: Open<BasicBlock>[];
  /** The current block; undefined after a terminator. */
  current: (Open<BasicBlock> & { readonly list: Instruction[] }) | undefined;
  list: Instruction[];
}

/** Reads the body whose opening brace is the scanner's first token; undefined after faults. */
export function readBody(p: Parser, body: BodyState): Body | undefined {
  const s = p.scanner;
  const errors = p.sink.errorCount;
  const building: Building = { blocks: [], current: undefined, list: [] };
  let faults = 0;
  advance(s);
  try {
    expect(p, kind.LEFT_BRACE);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    reportFault(p, error);
    return undefined;
  }
  for (;;) {
    const { start } = s;
    try {
      if (!readStatement(p, body, building)) break;
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      reportFault(p, error);
      p.depth = 0;
      if (++faults >= MAX_FAULTS || !recover(p, start)) return undefined;
      // What ended there ends the block as well, as far as one can know.
    }
  }
  if (faults === 0) checkLocals(p, body);
  if (p.sink.errorCount !== errors) return undefined;
  return { blocks: building.blocks as readonly BasicBlock[], spellings: p.module.spellings };
}

/** Continues at the next line that starts an instruction or a block, or at the body's end. Returns whether there is one. */
function recover(p: Parser, start: number): boolean {
  const s = p.scanner;
  let at = s.bytes.indexOf(LINE_FEED, Math.max(s.start, start));
  while (at >= 0 && at < s.limit) {
    s.end = at + 1;
    advance(s);
    if (beginsStatement(p)) return true;
    at = s.bytes.indexOf(LINE_FEED, Math.max(s.start, at + 1));
  }
  return false;
}

function beginsStatement({ scanner: s }: Parser): boolean {
  switch (s.kind) {
    case kind.RIGHT_BRACE:
    case kind.LABEL:
    case kind.LABEL_NUMBER:
    case kind.LOCAL:
    case kind.LOCAL_NUMBER:
      return true;
    case kind.WORD:
      return readers.has(tokenName(s));
    default:
      return false;
  }
}

/** One block's label, instruction or record; false after the body's closing brace. */
function readStatement(p: Parser, body: BodyState, building: Building): boolean {
  const s = p.scanner;
  p.construct = "body";
  p.from = s.start;
  switch (s.kind) {
    case kind.RIGHT_BRACE:
      endBody(p, building);
      return false;
    case kind.LABEL:
    case kind.LABEL_NUMBER:
      readLabel(p, body, building);
      return true;
    case kind.RECORD:
      // Debug records locate variables, which nothing here needs.
      advance(s);
      expect(p, kind.LEFT_PAREN);
      skipNested(p, 1);
      return true;
    case kind.WORD:
      if (isWord(p, "uselistorder") || isWord(p, "uselistorder_bb")) {
        skipUseList(p);
        return true;
      }
      readNext(p, body, building, undefined, undefined);
      return true;
    case kind.LOCAL:
    case kind.LOCAL_NUMBER: {
      const key = localKey(p);
      const name = s.kind === kind.LOCAL ? tokenName(s) : undefined;
      try {
        readNext(p, body, building, key, name);
      } catch (error) {
        if (error instanceof SyntaxFault) forget(body, key);
        throw error;
      }
      return true;
    }
    default:
      return failExpected(p, "an instruction or '}'");
  }
}

/** Defines the result of an instruction with a fault. */
function forget(body: BodyState, key: LocalKey): void {
  if (body.locals.has(key)) return;
  defineFaulty(body, key);
  if (key < 0) body.next = Math.max(body.next, ~key + 1);
}

function readNext(
  p: Parser,
  body: BodyState,
  building: Building,
  key: LocalKey | undefined,
  name: string | undefined,
): void {
  const s = p.scanner;
  const { start, end } = s;
  if (building.current === undefined) openBlock(p, body, building, undefined, tokenRange(s));
  if (key !== undefined) {
    advance(s);
    expect(p, kind.EQUAL, "an instruction");
  }
  const instruction = readInstruction(p, body, readers, name, start);
  building.list.push(instruction);
  if (instruction.type.kind === "void") {
    if (key !== undefined)
      fail(
        p,
        `${localText(p, key)} names the result of '${instruction.opcode}', which has none`,
        { start, end },
        {
          remedy: `write it without ${localText(p, key)} =`,
        },
      );
  } else defineLocal(p, body, resultKey(p, body, key, start, end), instruction, start, end);
  if (terminators.has(instruction.opcode)) closeBlock(p, building);
}

/** The key of a result: its name's, or the next number. */
function resultKey(p: Parser, body: BodyState, key: LocalKey | undefined, start: number, end: number): LocalKey {
  if (key !== undefined && key >= 0) return key;
  if (key !== undefined) takeNumber(p, body, ~key, start, end);
  return ~body.next++;
}

/** Numbers may be skipped, but not decrease. */
function takeNumber(p: Parser, body: BodyState, number: number, start: number, end: number): void {
  if (number < body.next)
    fail(
      p,
      `the next unnamed value is %${body.next}, not %${number}`,
      { start, end },
      {
        remedy: "number values and blocks in the order of the text, or name them",
      },
    );
  body.next = number;
}

function readLabel(p: Parser, body: BodyState, building: Building): void {
  const s = p.scanner;
  const range: Ranged = { start: s.start, end: s.end - 1 };
  const { current } = building;
  if (current !== undefined) {
    const name = s.kind === kind.LABEL ? tokenName(s) : String(s.id);
    fail(p, `the block before '${name}' does not end with a branch, a return or unreachable`, range, {
      remedy: `end it, with br label %${name} where it falls through`,
    });
  }
  if (s.kind === kind.LABEL_NUMBER) takeNumber(p, body, s.id, range.start, range.end);
  const key = s.kind === kind.LABEL ? s.id : ~body.next++;
  advance(s);
  openBlock(p, body, building, key, range);
}

/** Begins a block: that of a label, or the next number's. */
function openBlock(p: Parser, body: BodyState, building: Building, label: LocalKey | undefined, range: Ranged): void {
  const key = label ?? ~body.next++;
  const slot = blockSlot(p, body, key);
  if (slot.defined || body.locals.has(key))
    report(p, "nvvm-redefined", `${localText(p, key)} is defined twice in one function`, range);
  slot.defined = true;
  const list: Instruction[] = [];
  const block = slot.block;
  block.index = building.blocks.length;
  block.start = range.start;
  block.instructions = list;
  building.blocks.push(block);
  building.current = block as Building["current"];
  building.list = list;
}

function closeBlock(p: Parser, building: Building): void {
  building.current!.end = p.scanner.before;
  building.current = undefined;
}

function endBody(p: Parser, building: Building): void {
  const remedy = "end it with ret, or with unreachable if control never reaches its end";
  if (building.blocks.length === 0) fail(p, "a body has at least one block", tokenRange(p.scanner), { remedy });
  if (building.current !== undefined)
    fail(p, "the last block does not end with a branch, a return or unreachable", tokenRange(p.scanner), { remedy });
}
