// The text of --emit ptx in UTF-8, in parts that are worth a call of the system: it is made line by line, when it is asked for.

/** Characters of text that are gathered before they are encoded. */
const CHUNK = 1 << 18;

/** What the making of the text returns in the end is returned. */
export function* encoded<End>(lines: Generator<string, End, undefined>): Generator<Uint8Array, End, undefined> {
  const encoder = new TextEncoder();
  let pending: string[] = [];
  let length = 0;
  for (;;) {
    const next = lines.next();
    if (next.done !== true) {
      pending.push(next.value);
      length += next.value.length;
      if (length < CHUNK) continue;
    }
    if (length > 0) yield encoder.encode(pending.join(""));
    if (next.done === true) return next.value;
    [pending, length] = [[], 0];
  }
}
