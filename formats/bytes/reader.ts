// A bounds-checked cursor over little-endian bytes, for use inside a decoder (malformed.ts). A read that does not fit throws out
// of the decoder, with the offset and the name of what was being read. There is no index operator and no way to read outside the
// window. Columnar readers of large tables check the size of the table once and use a DataView instead.
import { malformed } from "./malformed.js";

/** Bytes to text; bytes that are not UTF-8 become U+FFFD, so that a foreign name can always be shown. */
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export class ByteReader {
  readonly bytes: Uint8Array;
  /** Offset of `bytes` in the whole input; error offsets count from the start of the input. */
  readonly base: number;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array, base = 0) {
    this.bytes = bytes;
    this.base = base;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes from the start of the window to the cursor. */
  get offset(): number {
    return this.at;
  }

  /** Bytes from the start of the whole input to the cursor. */
  get position(): number {
    return this.base + this.at;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  /** Skips `size` bytes and returns where they began. */
  private take(size: number, what: string): number {
    if (size > this.remaining)
      malformed("truncated", this.position, `${what}: ${size} bytes needed, ${this.remaining} left`);
    const start = this.at;
    this.at += size;
    return start;
  }

  u8(what: string): number {
    return this.view.getUint8(this.take(1, what));
  }

  u16(what: string): number {
    return this.view.getUint16(this.take(2, what), true);
  }

  u32(what: string): number {
    return this.view.getUint32(this.take(4, what), true);
  }

  u64(what: string): bigint {
    return this.view.getBigUint64(this.take(8, what), true);
  }

  i8(what: string): number {
    return this.view.getInt8(this.take(1, what));
  }

  i16(what: string): number {
    return this.view.getInt16(this.take(2, what), true);
  }

  i32(what: string): number {
    return this.view.getInt32(this.take(4, what), true);
  }

  i64(what: string): bigint {
    return this.view.getBigInt64(this.take(8, what), true);
  }

  f32(what: string): number {
    return this.view.getFloat32(this.take(4, what), true);
  }

  f64(what: string): number {
    return this.view.getFloat64(this.take(8, what), true);
  }

  /** A 64-bit unsigned size or offset. Fails if a double cannot hold it exactly. */
  size64(what: string): number {
    const start = this.position;
    return safeNumber(this.u64(what), start, what);
  }

  /** The next `size` bytes as a view on the input, not a copy. */
  view8(size: number, what: string): Uint8Array {
    const start = this.take(size, what);
    return this.bytes.subarray(start, start + size);
  }

  /** A cursor over the next `size` bytes, with error offsets that still count from the start of the input. */
  window(size: number, what: string): ByteReader {
    const base = this.position;
    return new ByteReader(this.view8(size, what), base);
  }

  /** `size` bytes of UTF-8. */
  text(size: number, what: string): string {
    return utf8.decode(this.view8(size, what));
  }

  /** Text up to a NUL byte, which is skipped. */
  cstring(what: string): string {
    const start = this.at;
    this.skipCstring(what);
    return utf8.decode(this.bytes.subarray(start, this.at - 1));
  }

  /** Skips a text and the NUL byte that ends it. */
  skipCstring(what: string): void {
    const end = this.bytes.indexOf(0, this.at);
    if (end < 0) malformed("malformed", this.position, `${what}: no NUL byte ends the text`);
    this.at = end + 1;
  }

  skip(size: number, what: string): void {
    this.take(size, what);
  }

  /** Moves the cursor to `offset` bytes from the start of the window. */
  seek(offset: number, what: string): void {
    if (!(offset >= 0 && offset <= this.bytes.length))
      malformed("out-of-range", this.position, `${what}: offset ${offset} is outside ${this.bytes.length} bytes`);
    this.at = offset;
  }

  /** Skips to the next multiple of `alignment` bytes, counted from the start of the window. */
  align(alignment: number, what: string): void {
    this.take((alignment - (this.at % alignment)) % alignment, what);
  }
}

/** Converts a u64 to a number; fails if a double cannot hold it exactly. `offset` and `what`: for the error. */
export function safeNumber(value: bigint, offset: number, what: string): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    malformed("out-of-range", offset, `${what}: 0x${value.toString(16)} is too large`);
  return Number(value);
}
