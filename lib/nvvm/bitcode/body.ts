// One function body (FUNCTION_BLOCK_ID): its constants, metadata, instructions and their names, read on demand. Every read
// creates a new body.

import { append } from "../../base/lists.js";
import { malformed } from "../../../formats/bytes/malformed.js";
import { openCursor, type BitCursor, type BlockStart } from "../../../formats/bitstream/index.js";
import type { Body, Function } from "../ir/global.js";
import type { BasicBlock, Instruction } from "../ir/instruction.js";
import type { Attachment, MetadataNode } from "../ir/metadata.js";
import type { Argument, Value } from "../ir/value.js";
import { blockId, functionCode } from "./codes.table.js";
import { readConstants } from "./constants.js";
import { readInstruction } from "./instructions.js";
import { attachmentsOf, placeNode, readMetadata, type MetadataContext } from "./metadata.js";
import { fillPlaceholders, openOperands, type BodyState, type Operands } from "./operands.js";
import { createMetadata, createValues, eachRecord, field, valueAt, type ModuleState, type Mutable } from "./state.js";
import { readSymbols } from "./symbols.js";

/** A block takes at least the bits of an abbreviation id. */
const MIN_BLOCK_BITS = 4;

const terminators: ReadonlySet<Instruction["opcode"]> = new Set([
  "br", "switch", "ret", "unreachable", "indirectbr", "invoke", "callbr", "resume",
  "catchswitch", "cleanupret", "catchret",
]); // prettier-ignore

interface OpenBody extends BodyState {
  blocks: Mutable<BasicBlock>[];
  readonly instructions: Instruction[];
  readonly unfilled: Instruction[];
  /** Calls that set references to later values. */
  readonly later: (() => void)[];
  readonly context: MetadataContext;
  /** The current block, and its instructions. */
  current: number;
  open: Instruction[];
  place: MetadataNode | undefined;
  bundles: string[];
}

export function readBody(of: Function, block: BlockStart, state: ModuleState): Body {
  const cursor = openCursor(state.stream, state.base, state.info);
  const body = openBody(of, state);
  const operands = openOperands(body, cursor.record);
  cursor.enter(block);
  for (;;) {
    const found = cursor.next();
    if (found === "end") break;
    if (found === "block") readBlock(cursor, body);
    else readRecord(cursor, body, operands, block);
  }
  if (body.current !== body.blocks.length)
    malformed("malformed", block.start, `${body.blocks.length} blocks are declared, but the body has ${body.current}`);
  if (body.blocks.length === 0) malformed("malformed", block.start, "a body without blocks");
  for (const instruction of body.unfilled) fillPlaceholders(instruction, body.values);
  for (const set of body.later) set();
  return { blocks: body.blocks };
}

function openBody(of: Function, state: ModuleState): OpenBody {
  const values = createValues(state.values);
  append(values.own, of.arguments);
  const later: (() => void)[] = [];
  const metadata = createMetadata(state.metadata);
  return {
    state,
    blocks: [],
    values,
    metadata,
    pending: false,
    instructions: [],
    unfilled: [],
    later,
    context: {
      state,
      list: metadata,
      values,
      later(id, set) {
        later.push(() => {
          const value = valueAt(values, id);
          if (value === undefined)
            return malformed("out-of-range", of.body!.start, `value ${id} in metadata is not defined`);
          set(value);
        });
      },
    },
    current: 0,
    open: [],
    place: undefined,
    bundles: [],
  };
}

function readBlock(cursor: BitCursor, body: OpenBody): void {
  switch (cursor.block.id) {
    case blockId.constants:
      readConstants(cursor, body.state, body.values);
      break;
    case blockId.metadata:
      readMetadata(cursor, body.context);
      break;
    case blockId.attachments:
      readAttachments(cursor, body);
      break;
    case blockId.symbols:
      readSymbols(
        cursor,
        (id, name, offset) => nameValue(valueAt(body.values, id), id < body.values.base, name, offset),
        (id, name, offset) => nameValue(body.blocks[id], false, name, offset),
      );
      break;
    default:
      cursor.skip();
  }
}

function nameValue(value: Value | undefined, outer: boolean, name: string, offset: number): void {
  if (outer || (value?.kind !== "argument" && value?.kind !== "instruction" && value?.kind !== "block"))
    return malformed("out-of-range", offset, `the name ${name} belongs to no value`);
  (value as Mutable<Argument | Instruction | BasicBlock>).name = name;
}

/** Metadata attached to the function itself, which is in its block. */
export function readOwnAttachments(of: Function, block: BlockStart, state: ModuleState): readonly Attachment[] {
  const cursor = openCursor(state.stream, state.base, state.info);
  const body = openBody(of, state);
  const attached: Attachment[] = [];
  cursor.enter(block);
  for (;;) {
    const found = cursor.next();
    if (found === "end") return attached;
    if (found === "record") continue;
    if (cursor.block.id === blockId.constants || cursor.block.id === blockId.metadata) readBlock(cursor, body);
    else if (cursor.block.id !== blockId.attachments) cursor.skip();
    else
      eachRecord(cursor, (record) => {
        if (record.values.length % 2 === 0) append(attached, attachmentsOf(record, 0, body.context));
      });
  }
}

/** Attachments of one instruction, if the record has an odd number of fields. */
function readAttachments(cursor: BitCursor, body: OpenBody): void {
  eachRecord(cursor, (record) => {
    if (record.values.length % 2 === 0) return;
    const id = field(record, 0, "instruction");
    const instruction = body.instructions[id];
    if (instruction === undefined) return malformed("out-of-range", record.start, `metadata of instruction ${id}`);
    attach(instruction, attachmentsOf(record, 1, body.context));
  });
}

function attach(instruction: Mutable<Instruction>, attachments: readonly Attachment[]): void {
  instruction.attachments = [...instruction.attachments, ...attachments];
}

function readRecord(cursor: BitCursor, body: OpenBody, operands: Operands, block: BlockStart): void {
  const { record } = cursor;
  const { code, start, end } = record;
  const last = body.instructions.at(-1);
  switch (code) {
    case functionCode.declareBlocks: {
      const count = field(record, 0, "blocks");
      if (!(count * MIN_BLOCK_BITS <= block.end - block.at) || body.blocks.length > 0)
        malformed("out-of-range", start, `${count} blocks in a body of ${(block.end - block.at) / 8} bytes`);
      for (let index = 0; index < count; index++)
        body.blocks.push({
          kind: "block",
          type: body.state.table.label,
          name: undefined,
          index,
          instructions: [],
          start,
          end,
        });
      return;
    }
    case functionCode.place:
      body.place = placeNode(record, body.metadata);
      if (last !== undefined) attach(last, [{ name: "dbg", node: body.place }]);
      return;
    case functionCode.placeAgain:
      if (body.place !== undefined && last !== undefined) attach(last, [{ name: "dbg", node: body.place }]);
      return;
    case functionCode.bundle: {
      const tag = body.state.bundles[field(record, 0, "tag")];
      if (tag === undefined) return malformed("out-of-range", start, "an operand bundle of unknown name");
      body.bundles.push(tag);
      return;
    }
    case functionCode.blockAddressUsers:
      return;
  }
  if (code >= functionCode.debugRecordFirst && code <= functionCode.debugRecordLast) return;
  operands.begin();
  addInstruction(body, readInstruction(operands, body.instructions.length, body.bundles));
}

function addInstruction(body: OpenBody, instruction: Instruction): void {
  const block = body.blocks[body.current];
  if (block === undefined) return malformed("malformed", instruction.start, "an instruction after the last block");
  if (body.bundles.length > 0) body.bundles = [];
  if (body.pending) {
    body.unfilled.push(instruction);
    body.pending = false;
  }
  if (body.open.length === 0) block.start = instruction.start;
  body.instructions.push(instruction);
  body.open.push(instruction);
  if (instruction.type.kind !== "void") body.values.own.push(instruction);
  if (!terminators.has(instruction.opcode)) return;
  block.end = instruction.end;
  block.instructions = body.open;
  body.open = [];
  body.current++;
}
