// Growable little-endian bytes with alignment and patching: the counterpart of reader.ts. A value that does not fit its field is
// a defect of the caller, never of a user's file, and throws RangeError. Integers are stored byte by byte: most writers hold some
// hundred bytes, and creating a DataView takes longer than writing them.
import { checkU64 } from "./u64.js";

const utf8 = new TextEncoder();

export class ByteWriter {
  private bytes: Uint8Array;
  private size = 0;

  /** `capacity`: initial size in bytes; the writer grows on demand. */
  constructor(capacity = 256) {
    this.bytes = new Uint8Array(Math.max(capacity, 16));
  }

  /** Bytes written so far. */
  get length(): number {
    return this.size;
  }

  /** Makes room for `count` more bytes and returns their offset. Call it first: it may replace `bytes`. */
  private grow(count: number): number {
    const start = this.size;
    const end = start + count;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
    }
    this.size = end;
    return start;
  }

  private word(value: number): void {
    const at = this.grow(4);
    put32(this.bytes, at, value);
  }

  u8(value: number): void {
    if ((value & 0xff) !== value) outside(value, 0, 0xff);
    // Most writes are single bytes, and the buffer has room for nearly all of them.
    const at = this.size;
    if (at < this.bytes.length) this.size = at + 1;
    else this.grow(1);
    this.bytes[at] = value;
  }

  u16(value: number): void {
    if ((value & 0xffff) !== value) outside(value, 0, 0xffff);
    const at = this.grow(2);
    this.bytes[at] = value;
    this.bytes[at + 1] = value >>> 8;
  }

  u32(value: number): void {
    if (value >>> 0 !== value) outside(value, 0, 0xffff_ffff);
    this.word(value);
  }

  u64(value: number | bigint): void {
    if (typeof value === "number" && value >>> 0 === value) {
      this.word(value);
      return this.word(0);
    }
    checkU64(value);
    const at = this.grow(8);
    put64(this.bytes, at, value);
  }

  i32(value: number): void {
    if ((value | 0) !== value) outside(value, -0x8000_0000, 0x7fff_ffff);
    this.word(value);
  }

  i64(value: number | bigint): void {
    // Use a number for a small value: each step with bigints allocates one.
    if (value >= -0x8000_0000 && value <= 0x7fff_ffff) {
      const small = Number(value);
      this.i32(small);
      return this.word(small < 0 ? -1 : 0);
    }
    const wide = BigInt(value);
    if (wide !== BigInt.asIntN(64, wide)) throw new RangeError(`${wide} does not fit 64 signed bits`);
    const at = this.grow(8);
    put64(this.bytes, at, BigInt.asUintN(64, wide));
  }

  f32(value: number): void {
    const at = this.grow(4);
    new DataView(this.bytes.buffer).setFloat32(at, value, true);
  }

  f64(value: number): void {
    const at = this.grow(8);
    new DataView(this.bytes.buffer).setFloat64(at, value, true);
  }

  put(bytes: Uint8Array): void {
    const start = this.grow(bytes.length);
    this.bytes.set(bytes, start);
  }

  /** UTF-8, without a terminating NUL. */
  text(text: string): void {
    // Names are short and ASCII: calling the encoder for one takes longer than writing it.
    const start = this.grow(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) {
        this.size = start;
        return this.put(utf8.encode(text));
      }
      this.bytes[start + i] = code;
    }
  }

  /** UTF-8 and a NUL byte. */
  cstring(text: string): void {
    this.text(text);
    this.u8(0);
  }

  zeros(count: number): void {
    const start = this.grow(count);
    this.bytes.fill(0, start, start + count);
  }

  /** Zeros up to the next multiple of `alignment` bytes. */
  align(alignment: number): void {
    this.zeros((alignment - (this.size % alignment)) % alignment);
  }

  /** Overwrites two bytes at `offset`, which must have been written before. */
  patchU16(offset: number, value: number): void {
    check(value, 0, 0xffff);
    check(offset, 0, this.size - 2);
    this.bytes[offset] = value;
    this.bytes[offset + 1] = value >>> 8;
  }

  /** Overwrites four bytes at `offset`, which must have been written before. */
  patchU32(offset: number, value: number): void {
    check(value, 0, 0xffff_ffff);
    check(offset, 0, this.size - 4);
    put32(this.bytes, offset, value);
  }

  /** Overwrites eight bytes at `offset`, which must have been written before. */
  patchU64(offset: number, value: number | bigint): void {
    check(offset, 0, this.size - 8);
    checkU64(value);
    put64(this.bytes, offset, value);
  }

  /** A view of the bytes from `start` on, in the writer's own memory. Valid until `clear`, even if more is written. */
  view(start: number, end = this.size): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  /** Discards the written bytes and keeps the memory for reuse. */
  clear(): void {
    this.size = 0;
  }

  /** Copies what was written to `offset` of `target`. */
  copyTo(target: Uint8Array, offset: number): void {
    target.set(this.bytes.subarray(0, this.size), offset);
  }

  /** The written bytes; not a copy if the initial size was right. Later writes do not change them. */
  finish(): Uint8Array {
    return this.size === this.bytes.length ? this.bytes : this.bytes.slice(0, this.size);
  }
}

/** The bytes that the callback writes. */
export function written(write: (writer: ByteWriter) => void): Uint8Array {
  const writer = new ByteWriter();
  write(writer);
  return writer.finish();
}

/** Bytes of the text as UTF-8. Scans for ASCII first, because calling the encoder for a short text takes longer. */
export function utf8Length(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return utf8.encode(text).length;
  return text.length;
}

function put32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

/** Stores a value from 0 to 2^64 - 1. */
function put64(bytes: Uint8Array, at: number, value: number | bigint): void {
  const isWide = typeof value === "bigint" || value > 0xffff_ffff;
  put32(bytes, at, isWide ? Number(BigInt.asUintN(32, BigInt(value))) : value);
  put32(bytes, at + 4, isWide ? Number(BigInt(value) >> 32n) : 0);
}

function check(value: number, low: number, high: number): void {
  if (!Number.isInteger(value) || value < low || value > high) outside(value, low, high);
}

function outside(value: number, low: number, high: number): never {
  throw new RangeError(`${value} is not an integer from ${low} to ${high}`);
}

/** Concatenates parts to one array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
