// How text is made to stand out. What is laid out asks a Styler; whether that colours is decided by who knows the terminal.

import { styleText } from "node:util";

/** What a piece of text is, rather than how it looks. */
export type TextRole = "heading" | "name" | "quiet" | "warning";

/** Must not change how many columns a text takes. */
export type Styler = (role: TextRole, text: string) => string;

export const plainStyler: Styler = (_role, text) => text;

const formats = {
  heading: "bold",
  name: "cyan",
  quiet: "dim",
  warning: "yellow",
} as const satisfies Readonly<Record<TextRole, string>>;

/** Colours by ANSI escape sequences, whatever the process's own streams are. */
export const ansiStyler: Styler = (role, text) =>
  text.trim() === "" ? text : styleText(formats[role], text, { validateStream: false });
