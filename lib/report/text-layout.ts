// What texts to be read are made of (inspect-text.ts).

import type { Styler } from "./style.js";

export interface TextLayout {
  /** Columns of the terminal; undefined where there is none. */
  readonly width: number | undefined;
  readonly style: Styler;
}

/** Lines that stand together; a blank line parts blocks. */
export type Block = readonly string[];
