// Properties in two columns, name and value. Properties without a value are omitted.

import { escapeControls } from "../diag/escape.js";
import type { TextLayout } from "./text-layout.js";
import { textWidth, wrapText } from "./table.js";

const INDENT = 2;
const GAP = 2;
/** Least width of a value, even if the terminal is narrower. */
const MIN_WIDTH = 24;

export function factLines(
  facts: readonly (readonly [what: string, value: string])[],
  { width, style }: TextLayout,
): readonly string[] {
  const known = facts.filter(([, value]) => value !== "");
  const column = INDENT + GAP + Math.max(0, ...known.map(([what]) => textWidth(what)));
  const room = width === undefined ? Infinity : Math.max(MIN_WIDTH, width - column);
  return known.flatMap(([what, value]) => {
    const [first = "", ...rest] = wrapText(escapeControls(value), room);
    const lead = " ".repeat(INDENT) + style("quiet", what) + " ".repeat(column - INDENT - textWidth(what));
    return [lead + first, ...rest.map((line) => " ".repeat(column) + line)];
  });
}
