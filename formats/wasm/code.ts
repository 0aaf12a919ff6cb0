// Writes the instructions of one function: core specification 2.0, section 5.4. Methods are named after instructions and return
// the writer itself, so that a sequence reads as in the text format. Only the types of this file are checked: compiling an
// invalid module fails.

import { ByteWriter } from "../bytes/writer.js";
import { writeSleb128, writeVarU } from "../bytes/varint.js";
import {
  laneCodes,
  laneMemoryCodes,
  memoryCodes,
  plainCodes,
  saturatingCodes,
  simdCodes,
  type LaneMemoryName,
  type LaneName,
  type MemoryName,
  type PlainName,
} from "./instructions.table.js";
import { valueTypes, type FunctionType, type Local, type ValueType } from "./types.js";

const EMPTY_BLOCK = 0x40;

/** All instructions without operands by name, with prefix and code: looked up once for each instruction written. */
const codes: ReadonlyMap<string, readonly [prefix: number, code: number]> = new Map<string, readonly [number, number]>([
  ...Object.entries(plainCodes).map(([name, code]) => [name, [0, code]] as const),
  ...Object.entries(saturatingCodes).map(([name, code]) => [name, [0xfc, code]] as const),
  ...Object.entries(simdCodes).map(([name, code]) => [name, [0xfd, code]] as const),
]);

export class CodeWriter {
  readonly type: FunctionType;
  readonly locals: ValueType[] = [];
  private readonly out = new ByteWriter(512);

  constructor(parameters: readonly ValueType[] = [], results: readonly ValueType[] = []) {
    this.type = { parameters, results };
  }

  /** Bytes written so far. */
  get length(): number {
    return this.out.length;
  }

  /** Declares a new local. */
  local(type: ValueType): Local {
    this.locals.push(type);
    return this.type.parameters.length + this.locals.length - 1;
  }

  /** Declares locals of one type, numbered in the order of their names. */
  named<const Name extends string>(type: ValueType, names: readonly Name[]): Readonly<Record<Name, Local>> {
    return Object.fromEntries(names.map((name) => [name, this.local(type)])) as Record<Name, Local>;
  }

  op(...names: readonly PlainName[]): this {
    for (const name of names) {
      const [prefix, code] = codes.get(name)!;
      if (prefix !== 0) {
        this.out.u8(prefix);
        writeVarU(this.out, code);
      } else this.out.u8(code);
    }
    return this;
  }

  private indexed(code: number, index: number): this {
    this.out.u8(code);
    writeVarU(this.out, index);
    return this;
  }

  get(local: Local): this {
    return this.indexed(0x20, local);
  }

  set(local: Local): this {
    return this.indexed(0x21, local);
  }

  tee(local: Local): this {
    return this.indexed(0x22, local);
  }

  /** A 32-bit constant, signed or unsigned. */
  i32(value: number): this {
    this.out.u8(0x41);
    writeSleb128(this.out, value | 0);
    return this;
  }

  i64(value: bigint): this {
    this.out.u8(0x42);
    writeSleb128(this.out, BigInt.asIntN(64, value));
    return this;
  }

  f32(value: number): this {
    this.out.u8(0x43);
    this.out.f32(value);
    return this;
  }

  f64(value: number): this {
    this.out.u8(0x44);
    this.out.f64(value);
    return this;
  }

  /** A constant of four words, the lowest first. */
  v128(words: readonly [number, number, number, number]): this {
    this.prefixed(12);
    for (const word of words) this.out.i32(word | 0);
    return this;
  }

  /** A constant that repeats one word four times. */
  words(word: number): this {
    return this.v128([word, word, word, word]);
  }

  /** A constant that repeats 64 bits twice. */
  longs(bits: bigint): this {
    const low = Number(BigInt.asIntN(32, bits));
    const high = Number(BigInt.asIntN(32, bits >> 32n));
    return this.v128([low, high, low, high]);
  }

  private prefixed(code: number): void {
    this.out.u8(0xfd);
    writeVarU(this.out, code);
  }

  lane(name: LaneName, lane: number): this {
    this.prefixed(laneCodes[name]);
    this.out.u8(lane);
    return this;
  }

  /** i8x16.shuffle: selects 16 of the 32 bytes of both operands. */
  shuffle(bytes: readonly number[]): this {
    this.prefixed(13);
    for (const byte of bytes) this.out.u8(byte);
    return this;
  }

  /** i8x16.shuffle by words: selects 4 of the 8 words of both operands. */
  shuffleWords(words: readonly [number, number, number, number]): this {
    return this.shuffle(words.flatMap((word) => [0, 1, 2, 3].map((byte) => 4 * word + byte)));
  }

  /** A load or store at the address on the stack plus `offset` bytes. */
  memory(name: MemoryName, offset = 0): this {
    const [prefix, code, align] = memoryCodes[name];
    if (prefix !== 0) {
      this.out.u8(prefix);
      writeVarU(this.out, code);
    } else this.out.u8(code);
    writeVarU(this.out, align);
    writeVarU(this.out, offset);
    return this;
  }

  laneMemory(name: LaneMemoryName, lane: number, offset = 0): this {
    const [code, align] = laneMemoryCodes[name];
    this.prefixed(code);
    writeVarU(this.out, align);
    writeVarU(this.out, offset);
    this.out.u8(lane);
    return this;
  }

  /** memory.fill; the stack contains address, byte and count. */
  fillMemory(): this {
    return this.bulk(11, 1);
  }

  /** memory.copy; the stack contains destination, source and count in bytes. */
  copyMemory(): this {
    return this.bulk(10, 2);
  }

  /** Writes a bulk instruction; its memory operands all name the module's only memory. */
  private bulk(code: number, memories: number): this {
    this.out.u8(0xfc);
    writeVarU(this.out, code);
    for (let i = 0; i < memories; i++) this.out.u8(0);
    return this;
  }

  private opening(code: number, result: ValueType | undefined): this {
    this.out.u8(code);
    this.out.u8(result === undefined ? EMPTY_BLOCK : valueTypes[result]);
    return this;
  }

  block(result?: ValueType): this {
    return this.opening(0x02, result);
  }

  loop(result?: ValueType): this {
    return this.opening(0x03, result);
  }

  if(result?: ValueType): this {
    return this.opening(0x04, result);
  }

  /** Depth 0 is the innermost block, loop or if. */
  br(depth: number): this {
    return this.indexed(0x0c, depth);
  }

  brIf(depth: number): this {
    return this.indexed(0x0d, depth);
  }

  brTable(depths: readonly number[], otherwise: number): this {
    this.indexed(0x0e, depths.length);
    for (const depth of [...depths, otherwise]) writeVarU(this.out, depth);
    return this;
  }

  /** Calls a function by number: imported functions come first, then the module's own. */
  call(fn: number): this {
    return this.indexed(0x10, fn);
  }

  /** Calls a function of table 0 by the index on the stack; `type`: an index into the module's types. */
  callIndirect(type: number): this {
    this.indexed(0x11, type);
    this.out.u8(0);
    return this;
  }

  /** Appends the instructions of another writer; its locals must be this one's. */
  append(other: CodeWriter): this {
    this.out.put(other.out.finish());
    return this;
  }

  /** The body as a code section stores it: locals, instructions, the final end. */
  body(): Uint8Array {
    const { out, locals } = this;
    const whole = new ByteWriter(out.length + 2 * locals.length + 8);
    const runs: { readonly type: ValueType; count: number }[] = [];
    for (const type of locals) {
      const last = runs.at(-1);
      if (last?.type === type) last.count++;
      else runs.push({ type, count: 1 });
    }
    writeVarU(whole, runs.length);
    for (const { type, count } of runs) {
      writeVarU(whole, count);
      whole.u8(valueTypes[type]);
    }
    whole.put(out.finish());
    whole.u8(plainCodes.end);
    return whole.finish();
  }
}
