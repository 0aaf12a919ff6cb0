// Steps over what is not read: bodies, and what is behind a fault. A module's pass looks at a body's braces alone.

const LINE_FEED = 10;
const QUOTE = 34;
const SEMICOLON = 59;
const LEFT_BRACE = 123;
const RIGHT_BRACE = 125;
const LETTER_D = 100;

/** Bytes that matter inside a body. */
const marks = new Uint8Array(256);
for (const byte of [LINE_FEED, QUOTE, SEMICOLON, LEFT_BRACE, RIGHT_BRACE]) marks[byte] = 1;

/**
 * Behind the brace that closes the one at `from`. A body whose braces do not match ends where a line begins with `define` or
 * `declare`, so that only its own reading finds fault with it.
 */
export function bodyEnd(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let open = 0;
  for (let at = from; at < length; at++) {
    const byte = bytes[at]!;
    if (marks[byte] === 0) continue;
    switch (byte) {
      case LEFT_BRACE:
        open++;
        break;
      case RIGHT_BRACE:
        if (--open === 0) return at + 1;
        break;
      case QUOTE: {
        const end = bytes.indexOf(QUOTE, at + 1);
        if (end < 0) return length;
        at = end;
        break;
      }
      case SEMICOLON: {
        const end = bytes.indexOf(LINE_FEED, at);
        if (end < 0) return length;
        // The line feed is looked at next.
        at = end - 1;
        break;
      }
      default:
        if (bytes[at + 1] === LETTER_D && beginsFunction(bytes, at + 1)) return at + 1;
    }
  }
  return length;
}

const functionWords = ["define", "declare"].map((word) => Buffer.from(word));

function beginsFunction(bytes: Uint8Array, at: number): boolean {
  return functionWords.some((word) => {
    const behind = bytes[at + word.length];
    return (behind === 32 || behind === 9) && word.every((byte, i) => bytes[at + i] === byte);
  });
}

const statementStart =
  /^(?:[@!$^%]|(?:define|declare|target|source_filename|module|attributes|uselistorder|uselistorder_bb)\b(?!:))/;

/** Where the next statement of the module begins, behind `from`: at the beginning of a line. */
export function nextStatement(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + at + 1, Math.min(20, bytes.length - at - 1));
    if (statementStart.test(line.toString("latin1"))) return at + 1;
  }
  return bytes.length;
}

const pointerSpelling = /[*]|(?<![-\w$.%@!#"\\])ptr(?![-\w$.:"])/g;

/** The first spelling of a pointer in a text, strings and comments aside. */
export function findPointerSpelling(bytes: Uint8Array): "typed" | "opaque" | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < text.length;) {
    const byte = text[at]!;
    if (byte === QUOTE || byte === SEMICOLON) {
      const end = text.indexOf(byte === QUOTE ? QUOTE : LINE_FEED, at + 1);
      if (end < 0) return undefined;
      at = end + 1;
      continue;
    }
    if (byte === 42) return "typed";
    if (byte === 112 && text[at + 1] === 116 && text[at + 2] === 114) {
      pointerSpelling.lastIndex = 1;
      const around = text.toString("latin1", Math.max(at - 1, 0), at + 4).padStart(at === 0 ? 5 : 0);
      if (pointerSpelling.exec(around)?.index === 1) return "opaque";
    }
    at++;
  }
  return undefined;
}
