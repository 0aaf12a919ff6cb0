// Finds bytes that are never valid in PTX: NUL and bytes above ASCII, in comments and strings, too, as in ptxas 13.0. PTX ISA 9.0
// section 4.1.

/** An error below the grammar's level; the tokens are as if the bytes were absent. */
export interface LexicalFault {
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly remedy?: string;
  /** No token follows it. */
  readonly truncates?: true;
}

/** Whether all bytes are ASCII and none is NUL. */
export function isAscii(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  const view = new DataView(buffer, byteOffset, length);
  let at = 0;
  // Four bytes at a time: subtracting one from each sets a high bit where one was zero.
  for (; at < length - 3; at += 4) {
    const word = view.getInt32(at);
    if (((word | (word - 0x01010101)) & 0x80808080) !== 0) return false;
  }
  for (; at < length; at++) if (bytes[at]! === 0 || bytes[at]! > 127) return false;
  return true;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The first NUL or byte above ASCII, as one error for all of them. */
export function foreignFault(bytes: Uint8Array): LexicalFault | undefined {
  if (isAscii(bytes)) return undefined;
  let count = 0;
  let first = -1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte !== 0 && byte < 128) continue;
    if (count === 0) first = at;
    count++;
  }
  let end = first + 1;
  while (end < bytes.length && bytes[end]! >= 128) end++;
  const more = count - (end - first);
  const isMark = first === 0 && BYTE_ORDER_MARK.every((byte, i) => bytes[i] === byte);
  return {
    start: first,
    end,
    message: `PTX text is ASCII, but this is ${isMark ? "a UTF-8 byte order mark" : bytes[first] === 0 ? "a NUL byte" : describeForeign(bytes, first, end)}${more > 0 ? `, and ${more} more such bytes follow` : ""}`,
    remedy: isMark
      ? "save the file as ASCII, or as UTF-8 without a mark"
      : "the rule holds in comments and strings too",
  };
}

function describeForeign(bytes: Uint8Array, start: number, end: number): string {
  const hex = Array.from(
    bytes.subarray(start, Math.min(end, start + 4)),
    (byte) => `0x${byte.toString(16).toUpperCase()}`,
  );
  return `${hex.join(" ")}${end - start > 4 ? " ..." : ""}`;
}
