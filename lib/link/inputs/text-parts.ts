// The text of --emit ptx in UTF-8, in parts that are worth a call of the system: it is made line by line, when it is asked for.

/** Characters of text that are gathered before they are encoded. */
const CHUNK = 1 << 16;

/** Most bytes that UTF-8 has for a character of a string. */
const WIDEST = 3;

/**
 * What the making of the text returns in the end is returned. A part is there until the next is asked for: all are made in one
 * memory, because the engine frees what many small ones have only when it has much else to free.
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
