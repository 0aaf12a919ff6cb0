// What may stay undefined in an image: the driver's names, and what options say (--unresolved-symbols and its kin, --defsym).

import type { NoteOptions } from "./undefined-notes.js";
import { isProvided } from "../../isa/driver-functions.table.js";

export interface UnresolvedOptions extends NoteOptions {
  /** Names that may stay undefined, besides the driver's own. */
  readonly allowUndefined?: (name: string) => boolean;
  /** Whether the others are warnings only. */
  readonly warnUndefined?: boolean;
}

export interface UndefinedOptions extends UnresolvedOptions {
  /** Names that options settled. */
  readonly settled?: ReadonlySet<string>;
  readonly wrap?: readonly string[];
}

/** Whether nothing is to be said of a name that nothing defines. The driver has functions only. */
export const mayBeOpen = (name: string, isFunction: boolean, { allowUndefined, settled }: UndefinedOptions): boolean =>
  (isFunction && isProvided(name)) || settled?.has(name) === true || allowUndefined?.(name) === true;
