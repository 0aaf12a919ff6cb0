// Encodes the text of --emit ptx as UTF-8, in parts large enough for one system call each: the text is generated line by line, on
// demand.

/** Characters that are collected before they are encoded. */
const CHUNK = 1 << 16;

/** Limit of UTF-8 bytes for a UTF-16 code unit. */
const WIDEST = 3;

/**
 * Returns what the generator of lines returns. A part is valid until the next is requested: all parts use the same memory,
 * because the engine frees many small buffers only when there is much else to free.
 */
export function* encoded<End>(lines: Generator<string, End, undefined>): Generator<Uint8Array, End, undefined> {
  const encoder = new TextEncoder();
  let memory = new Uint8Array(4 * CHUNK);
  let pending: string[] = [];
  let length = 0;
  for (;;) {
    const next = lines.next();
    if (next.done !== true) {
      pending.push(next.value);
      length += next.value.length;
      if (length < CHUNK) continue;
    }
    if (length > 0) {
      if (WIDEST * length > memory.length) memory = new Uint8Array(WIDEST * length);
      yield memory.subarray(0, encoder.encodeInto(pending.join(""), memory).written);
    }
    if (next.done === true) return next.value;
    [pending, length] = [[], 0];
  }
}
