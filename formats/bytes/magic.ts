// Detects formats by the first bytes of a file. Every command checks every file, so a check allocates nothing and calls no
// function: otherwise its cost was measurable in links of a thousand files.

/** Bytes written as characters, one byte each: "\x7fELF". */
export const magicBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Whether `magic` is at offset `at`. */
export function hasMagic(bytes: Uint8Array, magic: Uint8Array, at = 0): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[at + i] !== magic[i]) return false;
  return true;
}
