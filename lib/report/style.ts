// Styles of emphasised text. The layout calls a Styler; whether that colours is decided by the code that knows the terminal.

/** The role of a piece of text, rather than its style. */
export type TextRole = "heading" | "name" | "quiet" | "warning";

/** Must not change how many columns a text takes. */
export type Styler = (role: TextRole, text: string) => string;

export const plainStyler: Styler = (_role, text) => text;

/** Select Graphic Rendition parameters (ECMA-48 8.3.117) that begin and end a look: bold, cyan, dim, yellow. */
const looks: Readonly<Record<TextRole, readonly [begin: number, end: number]>> = {
  heading: [1, 22],
  name: [36, 39],
  quiet: [2, 22],
  warning: [33, 39],
};

/** Colours by ANSI escape sequences. */
export const ansiStyler: Styler = (role, text) => {
  const [begin, end] = looks[role];
  return text.trim() === "" ? text : `\u001B[${begin}m${text}\u001B[${end}m`;
};
