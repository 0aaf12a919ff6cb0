// Character classes: what each byte can begin or continue, and the tokens made of punctuation. PTX ISA 9.0 sections 4.3 and 4.4;
// where the text is silent, the behaviour of ptxas 13.0: form feed and vertical tab are not white space, 0x1A is.

import * as kind from "./token.js";

/** Classes of a token's first byte. */
const INVALID = 0;
export const SPACE = 1;
export const LETTER = 2;
/** `_`, `$` and `%`: a name needs at least one more character. */
export const PREFIX = 3;
export const DIGIT = 4;
export const DOT = 5;
export const SLASH = 6;
export const QUOTE = 7;
export const HASH = 8;
/** A token of one byte, or the start of a token of two; or the token depends on further bytes. */
export const PUNCTUATION = 9;
/** A token of one byte, whatever the bytes around it. */
export const SINGLE = 10;

const code = (character: string): number => character.charCodeAt(0);

/** Class of each byte as the first of a token. */
export const classes: Uint8Array = new Uint8Array(256);
/** 1 if the byte continues a name: letters, digits, `_` and `$`. */
export const follows: Uint8Array = new Uint8Array(256);

for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCharCode(byte);
  // NUL and bytes above ASCII are always errors, which one message reports. Treating them as white space and letters avoids
  // further messages.
  if (byte >= 128 || /[A-Za-z]/.test(character)) classes[byte] = LETTER;
  else if (/[0-9]/.test(character)) classes[byte] = DIGIT;
  if (byte >= 128 || /[A-Za-z0-9_$]/.test(character)) follows[byte] = 1;
}
for (const byte of [0x00, 0x09, 0x0a, 0x0d, 0x1a, 0x20]) classes[byte] = SPACE;
for (const character of "_$%") classes[code(character)] = PREFIX;
classes[code(".")] = DOT;
classes[code("/")] = SLASH;
classes[code('"')] = QUOTE;
classes[code("#")] = HASH;

/** Token kind of a single byte; 0 if there is none. */
export const single: Uint8Array = new Uint8Array(256);
/** Token kind by second byte, for each first byte that begins a token of two bytes. */
export const double: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, () => undefined);

for (const [spelling, token] of kind.punctuation) {
  const first = code(spelling);
  if (classes[first] === INVALID) classes[first] = PUNCTUATION;
  if (spelling.length === 1) single[first] = token;
  else ((double as (Uint8Array | undefined)[])[first] ??= new Uint8Array(256))[spelling.charCodeAt(1)] = token;
}

for (const character of ";,:}[]()?~+-*^") if (double[code(character)] === undefined) classes[code(character)] = SINGLE;
