// Makes text from files safe for a terminal: names and messages quote the user's files, which may contain escape sequences. Line
// feeds are escaped, too, so that a diagnostic stays on one line whatever a name contains. Unsafe characters are C0 without tab,
// DEL, C1, and those that change the direction of text.
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

/** `escapeControls` for text of several lines: keeps line feeds. */
export const escapeLines = (text: string): string =>
  text.replace(unsafe, (character) => (character === "\n" ? character : escapeControls(character)));

/** Whether a text consists of printable ASCII characters, as nearly all do: a fast path, since reports have millions of texts. */
function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Replaces every control character by one that is one column wide, so that the mark in the line below stays aligned. */
export function blankControls(text: string): string {
  return text.replace(unsafe, "\u00b7");
}
