// Text from a file, made fit for a terminal: names and messages quote what the user's files say, and those may hold escape
// sequences. Line feeds go too, so that one diagnostic stays one line whatever a name contains.

// C0 without tab, DEL, C1, and the characters that turn the direction of text around.
const unsafe = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Replaces control characters by their code: `\x1B`, `\u{202E}`. */
export function escapeControls(text: string): string {
  if (isPrintable(text)) return text;
  return text.replace(unsafe, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16).toUpperCase();
    return code < 256 ? `\\x${hex.padStart(2, "0")}` : `\\u{${hex}}`;
  });
}

/** The same of a text of many lines, which keeps its line feeds. */
export const escapeLines = (text: string): string =>
  text.replace(unsafe, (character) => (character === "\n" ? character : escapeControls(character)));

/** Whether a text is of printable ASCII characters alone, as nearly all are: in reports there are millions. */
function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Replaces every control character by one that takes one column, so that a mark below stays where it belongs. */
export function blankControls(text: string): string {
  return text.replace(unsafe, "\u00b7");
}
