// Whether a file is NVVM IR, by its content: the first word of text after comments, or the first bytes of bitcode.

import { isBitcode } from "../../formats/bitstream/magic.js";

/** Number of examined bytes: a licence in comments may come first. */
const BEGINNING = 2 ** 16;

const LINE_FEED = 10;
const SPACE = 32;
const SEMICOLON = 0x3b;

/** First words of LLVM assembly. `@@DWARF` is old PTX. */
const firstWords =
  /^(?:target\s+(?:triple|datalayout)\b|source_filename\s*=|module\s+asm\b|define\b|declare\b|attributes\s+#|uselistorder|@(?!@)|[%!$^][\w."$-]+\s*=)/;

/** Whether it is LLVM's assembly. PTX has no comments with `;`. */
export function isNvvmText(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, BEGINNING);
  let at = 0;
  let hasComments = false;
  for (;;) {
    while (at < end && bytes[at]! <= SPACE) at++;
    if (bytes[at] !== SEMICOLON || at >= end) break;
    hasComments = true;
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    at = lineFeed < 0 ? end : lineFeed;
  }
  if (at >= end) return hasComments;
  return firstWords.test(Buffer.from(bytes.subarray(at, at + 256)).toString("latin1"));
}

export const isNvvm = (bytes: Uint8Array): boolean => isBitcode(bytes) || isNvvmText(bytes);
