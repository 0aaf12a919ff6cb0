// The parts of text reports (inspect-text.ts).

import type { Styler } from "./style.js";

export interface TextLayout {
  /** Columns of the terminal; undefined where there is none. */
  readonly width: number | undefined;
  readonly style: Styler;
}

/** Lines without a blank line between them; a blank line separates blocks. */
export type TextBlock = readonly string[];
