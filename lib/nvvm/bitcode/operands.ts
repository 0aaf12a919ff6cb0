// Operands of a record in a function body: numbers relative to the instruction (from LLVM 3.3). A forward reference is followed
// by its type; a placeholder replaces its value until the body is read.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { BitRecord } from "../../../formats/bitstream/index.js";
import type { BasicBlock, Instruction } from "../ir/instruction.js";
import type { FunctionType, Type } from "../ir/type.js";
import type { Value } from "../ir/value.js";
import {
  countOf,
  field,
  metadataAt,
  signedField,
  typeAt,
  valueAt,
  type MetadataList,
  type ModuleState,
  type Mutable,
  type ValueList,
} from "./state.js";

/** Placeholder for the result of a later instruction, until the body is read. */
interface Placeholder {
  readonly kind: "placeholder";
  readonly type: Type;
  readonly id: number;
}

/** The cursor's record of one instruction, read from its first field to its last. */
export interface Operands {
  readonly record: BitRecord;
  readonly state: ModuleState;
  /** Byte of the record, for errors. */
  readonly start: number;
  /** Starts with the cursor's current record. */
  begin(): void;
  /** Number of remaining fields. */
  readonly left: number;
  number(what: string): number;
  /** A number with its sign in the lowest bit. */
  signedNumber(what: string): bigint;
  /** The number, without advancing. */
  peek(ahead: number): number;
  type(what: string): Type;
  block(what: string): BasicBlock;
  /** A value, with its type if it is a forward reference. */
  value(what: string): Value;
  /** A value of a known type. */
  typed(type: Type, what: string): Value;
  /** The same with a signed number: in phi. */
  signed(type: Type, what: string): Value;
  /** By absolute number: sizes of alloca, cases of switch. */
  absolute(type: Type, what: string): Value;
}

export interface BodyState {
  readonly state: ModuleState;
  readonly blocks: readonly Mutable<BasicBlock>[];
  readonly values: ValueList;
  readonly metadata: MetadataList;
  /** Whether a placeholder was created since this was last cleared. */
  pending: boolean;
}

const WRAP = 2 ** 32;

/** The current record. */
interface Reader {
  readonly body: BodyState;
  readonly record: BitRecord;
  start: number;
  /** The number of the record's result. */
  next: number;
  /** The next field. */
  at: number;
}

/** For all records of one body. */
export function openOperands(body: BodyState, record: BitRecord): Operands {
  const { state, values } = body;
  const reader: Reader = { body, record, start: 0, next: 0, at: 0 };
  const number = (what: string): number => field(record, reader.at++, what);
  const type = (what: string): Type => typeAt(state, number(what), reader.start);
  return {
    record,
    state,
    get start() {
      return reader.start;
    },
    begin() {
      reader.at = 0;
      reader.start = record.start;
      reader.next = countOf(values);
    },
    get left() {
      return record.values.length - reader.at;
    },
    number,
    signedNumber: (what) => signedField(record, reader.at++, what),
    peek: (ahead) => field(record, reader.at + ahead, "fields"),
    type,
    block(what) {
      const id = number(what);
      const block = body.blocks[id];
      if (block === undefined) return malformed("out-of-range", reader.start, `block ${id} of ${body.blocks.length}`);
      return block;
    },
    value(what) {
      const id = idOf(reader, what);
      return find(reader, id, id < reader.next ? undefined : type(`type of the ${what}`), what);
    },
    typed: (of, what) => find(reader, idOf(reader, what), of, what),
    signed(of, what) {
      const raw = number(what);
      const distance = raw % 2 === 0 ? raw / 2 : -(raw - 1) / 2;
      return find(reader, state.relative ? reader.next - distance : distance, of, what);
    },
    absolute: (of, what) => find(reader, number(what), of, what),
  };
}

/** The number of a value: relative numbers are subtracted, and wrap around for later values. */
function idOf(reader: Reader, what: string): number {
  const { body, record, next } = reader;
  const raw = field(record, reader.at++, what);
  if (!body.state.relative) return raw;
  return raw > next ? next - raw + WRAP : next - raw;
}

function find({ body, record, start, next }: Reader, id: number, type: Type | undefined, what: string): Value {
  if (type?.kind === "metadata")
    return { kind: "metadata", type, metadata: metadataAt(body.metadata, id, start), start, end: record.end };
  const value = id >= 0 ? valueAt(body.values, id) : undefined;
  if (value !== undefined) {
    if (type !== undefined && value.type !== type) malformed("malformed", start, `the ${what} is of another type`);
    return value;
  }
  if (!(id >= next && id < WRAP) || type === undefined)
    return malformed("out-of-range", start, `the ${what} is unknown`);
  body.pending = true;
  return { kind: "placeholder", type, id } satisfies Placeholder as unknown as Value;
}

const isPlaceholder = (value: Value): boolean => (value.kind as string) === "placeholder";

/** Replaces an instruction's placeholders by values, after the body is read. */
export function fillPlaceholders(instruction: Instruction, values: ValueList): void {
  const fill = (value: Value): Value => {
    if (!isPlaceholder(value)) return value;
    const { id, type } = value as unknown as Placeholder;
    const found = valueAt(values, id);
    if (found === undefined) return malformed("out-of-range", instruction.start, `value ${id} is not defined`);
    if (found.type !== type)
      malformed("malformed", instruction.start, `value ${id} has another type than its use expects`);
    return found;
  };
  const open = instruction as { operands: readonly Value[]; callee?: Value };
  if (open.operands.some(isPlaceholder)) open.operands = open.operands.map(fill);
  if (open.callee !== undefined) open.callee = fill(open.callee);
}

/** The function type of a call through a value, if the record does not contain it. */
export function calledType(callee: Value, offset: number): FunctionType {
  if (callee.kind === "asm") return callee.functionType;
  const type = callee.type.kind === "pointer" ? callee.type.pointee : undefined;
  if (type?.kind !== "function") return malformed("malformed", offset, "a call of something that is not a function");
  return type;
}
