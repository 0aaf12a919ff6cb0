// How files of a kind begin. Every command asks it of every file, so a question makes nothing and calls nothing: with arrays
// made for each and methods that take functions, the engine's work on those few lines was felt in links of a thousand files.

/** Bytes that are written as characters, one each: "\x7fELF". */
export const magicBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Whether `magic` is at offset `at`. */
export function hasMagic(bytes: Uint8Array, magic: Uint8Array, at = 0): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[at + i] !== magic[i]) return false;
  return true;
}
