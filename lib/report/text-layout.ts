// Types of the parts of text reports (inspect-text.ts).

import type { Styler } from "./style.js";

export interface TextLayout {
  /** Columns of the terminal; undefined without one. */
  readonly width: number | undefined;
  readonly style: Styler;
}

/** Lines of a block; blank lines separate blocks. */
export type TextBlock = readonly string[];
