// Styles of emphasised text. The layout calls a Styler; the code that knows the terminal decides whether it colours.

/** The role of a piece of text, which determines its style. */
export type TextRole = "heading" | "name" | "quiet" | "warning";

/** Styles a text; must not change its width in columns. */
export type Styler = (role: TextRole, text: string) => string;

export const plainStyler: Styler = (_role, text) => text;

/** Select Graphic Rendition parameters (ECMA-48 8.3.117) that begin and end a style: bold, cyan, dim, yellow. */
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
